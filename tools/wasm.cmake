# The engine for browsers: the target `wasm` builds wasm/libquevedo.wasm, wasm/plain/libquevedo.wasm for browsers without vectors,
# and wasm/data/GAME.bin (src/server/wasm/engine.h).
# It is a build of its own (src/server/wasm/CMakeLists.txt), by clang. wasm_files: what the page contains of it; empty: it is left out.

# What it uses of the server.
set(engine_api_sources)
foreach(name allowed_specs analysis create dice gallery game_json games opponents plays positions replies)
  list(APPEND engine_api_sources src/server/api/${name}.c)
endforeach()
list(APPEND engine_api_sources src/server/jobs/file_jobs.c src/server/jobs/record_jobs.c
     src/server/jobs/search_jobs.c)
# The engine itself; the other files of its folder stand in for libraries and the system, and native tests do without them.
set(engine_sources)
foreach(name engine lab_learn lab_machine lab_mask lab_proof lab_td lab_wave rooms routes traces)
  list(APPEND engine_sources src/server/wasm/${name}.c)
endforeach()

find_program(CLANG_PROGRAM clang)
find_program(WASM_LINKER wasm-ld)
find_path(WASI_INCLUDE wasi/api.h PATHS /usr/include/wasm32-wasi)
find_program(CCACHE_PROGRAM ccache)
set(wasm_clang "")
set(wasm_files)
if(QV_WASM AND CLANG_PROGRAM AND WASM_LINKER AND WASI_INCLUDE AND PYTHON_PROGRAM AND NOT QV_SANITIZE AND NOT QV_FUZZ AND NOT QV_COVERAGE)
  # clang names the runtime that it would link to, present or not.
  execute_process(COMMAND ${CLANG_PROGRAM} --target=wasm32-wasi -print-libgcc-file-name OUTPUT_VARIABLE wasm_runtime
                  OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  if(EXISTS "${wasm_runtime}")
    set(wasm_clang ${CLANG_PROGRAM})
  endif()
endif()
if(NOT wasm_clang)
  message(STATUS "The engine for browsers is left out, and so are its tests: it needs clang, lld, wasi-libc, libclang-rt-dev-wasm32, "
                 "python3 and QV_WASM")
  add_custom_target(wasm)
  return()
endif()

# The data of the games. Endgame tables are stored without compression, because that engine has no zstd.
add_executable(store-table EXCLUDE_FROM_ALL tools/store-table.c)
target_link_libraries(store-table PRIVATE objects)
set(wasm_build ${CMAKE_BINARY_DIR}/wasm)
file(MAKE_DIRECTORY ${wasm_build}/tables)
# The tables of chess have another order for processors with the instruction pext, which browsers lack.
set(wasm_chess_tables ${wasm_build}/tables/chess_tables.bin)
add_executable(wasm-chess-tables EXCLUDE_FROM_ALL tools/chess-tables.c)
target_include_directories(wasm-chess-tables PRIVATE include src)
target_compile_definitions(wasm-chess-tables PRIVATE CHESS_NO_PEXT)
add_custom_command(OUTPUT ${wasm_chess_tables} COMMAND wasm-chess-tables ${wasm_chess_tables} DEPENDS wasm-chess-tables)
get_property(game_data GLOBAL PROPERTY game_data)
set(data_arguments)
set(data_files)
foreach(entry IN LISTS game_data)
  string(REGEX MATCH "^([^=]*)=(.*)$" entry "${entry}")
  set(symbol ${CMAKE_MATCH_1})
  set(file ${CMAKE_MATCH_2})
  string(REGEX REPLACE "^book_|_.*" "" game ${symbol})
  if(symbol STREQUAL polyglot_keys)
    set(game chess)
  endif()
  if(symbol STREQUAL "chess_tables") # there is a variable of that name
    set(file ${wasm_chess_tables})
  endif()
  if(file MATCHES "\\.qvt$")
    set(stored ${wasm_build}/tables/${symbol}.qvt)
    add_custom_command(OUTPUT ${stored} COMMAND store-table ${file} ${stored} DEPENDS store-table ${file})
    set(file ${stored})
  endif()
  list(APPEND data_arguments ${game}:${symbol}=${file})
  list(APPEND data_files ${file})
endforeach()
add_custom_command(OUTPUT ${wasm_build}/data/data_list.h COMMENT "Packing the data of the games for browsers"
                   COMMAND ${PYTHON_PROGRAM} ${CMAKE_SOURCE_DIR}/tools/pack-data ${wasm_build}/data ${data_arguments}
                   DEPENDS ${data_files} tools/pack-data)

list(JOIN engine_api_sources "|" api_sources)
set(wasm_launcher ${CMAKE_C_COMPILER_LAUNCHER})
if(NOT wasm_launcher AND CCACHE_PROGRAM)
  set(wasm_launcher ${CCACHE_PROGRAM})
endif()
pkg_get_variable(jansson_include jansson includedir)
pkg_get_variable(zstd_include libzstd includedir)
pkg_get_variable(sodium_include libsodium includedir)
add_custom_command(OUTPUT ${wasm_build}/build.ninja COMMENT "Configuring the engine for browsers"
                   COMMAND ${CMAKE_COMMAND} -G Ninja -S ${CMAKE_SOURCE_DIR}/src/server/wasm -B ${wasm_build}
                           -DCMAKE_BUILD_TYPE=Release -DCMAKE_SYSTEM_NAME=Generic -DCMAKE_C_COMPILER=${wasm_clang}
                           -DCMAKE_C_COMPILER_TARGET=wasm32-wasi -DCMAKE_C_COMPILER_LAUNCHER=${wasm_launcher}
                           -DDATA=${wasm_build}/data "-DAPI_SOURCES=${api_sources}"
                           -DJANSSON=${jansson_include} -DZSTD=${zstd_include} -DSODIUM=${sodium_include} > ${wasm_build}.log
                   DEPENDS src/server/wasm/CMakeLists.txt tools/wasm.cmake VERBATIM)
set(wasm_modules ${wasm_build}/libquevedo.wasm ${wasm_build}/plain/libquevedo.wasm)
# Its output is of interest only if it fails.
add_custom_target(wasm DEPENDS ${wasm_build}/build.ninja ${wasm_build}/data/data_list.h
                  COMMAND sh -c "\"$1\" --build \"$2\" -- --quiet > \"$2.log\" 2>&1 || { cat \"$2.log\"; exit 1; }"
                          build ${CMAKE_COMMAND} ${wasm_build}
                  BYPRODUCTS ${wasm_modules} COMMENT "Building the engine for browsers" VERBATIM)
set(wasm_files ${wasm_modules} ${wasm_build}/data/data_list.h)
