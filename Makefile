# Quevedo: `make` builds build/quevedo, `make run` starts the web server, docs/building.md has the rest.
# SPDX-License-Identifier: MIT
.POSIX:
.PHONY: all static dist python run site test soak bench check screenshots installable install uninstall clean

PREFIX = /usr/local
DESTDIR =
BUILD = build
SOAK_SECONDS = 3600
PORT = 8080

# Debian's cc may be any compiler; ours is gcc unless `make CC=...` says otherwise.
ifeq ($(origin CC),default)
CC = gcc
endif

# The library and the program, nothing else.
all: $(BUILD)/build.ninja
	cmake --build $(BUILD) --target quevedo quevedo_shared quevedo_static -- --quiet

$(BUILD)/build.ninja:
	@command -v cmake >/dev/null && command -v ninja >/dev/null || { \
		echo "make: cmake or ninja is missing; tools/setup installs what is needed" >&2; exit 1; }
	cmake -G Ninja -S . -B $(BUILD) -DCMAKE_BUILD_TYPE=Release -DCMAKE_C_COMPILER=$(CC) >/dev/null

# One file that needs nothing else, with the page that `all` has made: build/static/quevedo.
static: all
	cmake -G Ninja -S . -B $(BUILD)/static -DCMAKE_BUILD_TYPE=Release -DCMAKE_C_COMPILER=$(CC) -DQV_STATIC=ON -DQV_WASM=OFF \
		-DQV_PAGE_BLOB=$$(sed -n 's/^QV_PAGE_BLOB:[A-Z]*=\(.\)/\1/p' $(BUILD)/CMakeCache.txt | grep . || echo $(abspath $(BUILD))/page.blob) >/dev/null
	cmake --build $(BUILD)/static --target quevedo -- --quiet

# The source tarball, with the page built.
dist: all
	@tools/make-dist $(BUILD)

# The Python package: wheel and source package.
python: $(BUILD)/build.ninja
	@cmake --build $(BUILD) --target quevedo_shared -- --quiet
	@tools/build-python $(BUILD)/python $(BUILD)/libquevedo.so.0

# The web server, with the page if Node is there. Ctrl-C ends it.
run:
	@tools/setup run
	@$(MAKE) --no-print-directory all
	@exec $(BUILD)/quevedo serve --port $(PORT) --data $(BUILD)/data

# The page with its engine as a folder for any web space, without a server.
SITE = $(BUILD)/site
site:
	@tools/setup run
	@$(MAKE) --no-print-directory $(BUILD)/build.ninja
	@cmake -S . -B $(BUILD) -DQV_SITE=$(abspath $(SITE)) >/dev/null
	cmake --build $(BUILD) --target site -- --quiet

test:
	@tools/setup
	@tools/test

soak:
	@tools/setup soak
	@SOAK_SECONDS=$(SOAK_SECONDS) tools/soak

bench: all
	@cmake --build $(BUILD) --target bench_speed bench_load_server -- --quiet
	$(BUILD)/quevedo bench
	$(BUILD)/bench/bench_speed
	bench/attacks.sh $(BUILD)
	@if [ -d $(BUILD)/page/node_modules ] && command -v chromium >/dev/null; then \
		CHROMIUM=$$(command -v chromium) QUEVEDO=$(BUILD)/quevedo QUEVEDO_MODULES=$(abspath $(BUILD))/page/node_modules node bench/lab.mjs; \
	else echo "make: the picture of the laboratory is not measured: it needs the page and chromium"; fi

# Every picture of the documents.
screenshots: all
	@cmake --build $(BUILD) --target breakthrough -- --quiet
	@tools/screenshots

check: all
	@tools/check-layers
	@tools/check-objects $(BUILD)
	@tools/check-self-test

installable: all
	@cmake --build $(BUILD) --target quevedo-check help_files -- --quiet

install: installable
	DESTDIR=$(DESTDIR) cmake --install $(BUILD) --prefix $(PREFIX)

# What `make install` with the same PREFIX and DESTDIR has installed: it is installed aside once more to see what that is.
uninstall: installable
	@rm -rf $(BUILD)/aside
	@DESTDIR=$(abspath $(BUILD))/aside cmake --install $(BUILD) --prefix $(PREFIX) >/dev/null
	cd $(BUILD)/aside && find . ! -type d -exec sh -c 'for file; do rm -f "$(DESTDIR)/$$file"; done' sh {} +
	@cd $(BUILD)/aside && find . -depth -type d -path '*quevedo*' -exec sh -c 'for dir; do rmdir "$(DESTDIR)/$$dir" 2>/dev/null; done; :' sh {} +
	@rm -rf $(BUILD)/aside

clean:
	rm -rf $(BUILD)
