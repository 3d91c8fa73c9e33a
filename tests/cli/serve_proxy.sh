#!/usr/bin/env bash
# serve_proxy.sh - the web server behind proxies and load balancers: addresses, origins, certificates, draining, --config.
# SPDX-License-Identifier: MIT
. "$(dirname "$0")/common.bash"
python3 "$(dirname "$0")/serve_proxy.py" "$quevedo" "$work"
