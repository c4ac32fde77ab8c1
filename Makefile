# Needs Python 3.11 or newer and make; everything else is installed into .venv from the lock files.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check

# A stamp is newer than the files it was installed from, so that a second run installs nothing.
PLAY_STAMP := $(VENV)/.installed-play
DEV_STAMP := $(VENV)/.installed-dev
CORE_STAMP := $(VENV)/.built-core
CORE := kalooki_tui/playouts

.DEFAULT_GOAL := help
.PHONY: help play host test suite sweeps build wheels check format bench lab prove drive monkey screenshots screens contrast demo man rules docs lock clean

help: ## list what make can do
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "  make %-12s %s\n", $$1, $$2 }' Makefile

play: $(PLAY_STAMP) $(CORE_STAMP) ## install the game into .venv and start it
	@$(BIN)/kalooki

host: build/host/.installed ## open a table to which others come from their own screens
	build/host/bin/kalooki host

# What speaks to the network is installed for this alone: playing in a terminal does without it.
build/host/.installed: pyproject.toml requirements-host.lock
	$(PYTHON) -m venv --clear build/host
	build/host/bin/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements-host.lock
	build/host/bin/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation -e .
	@touch $@

test: check suite ## check, then run every test

suite: $(DEV_STAMP) $(CORE_STAMP) ## run every test without the checks
	$(BIN)/python -m pytest -n auto --dist worksteal --benchmark-disable

sweeps: $(DEV_STAMP) $(CORE_STAMP) ## run every test with every case of its sweeps, of which `make test` runs some
	$(BIN)/python -m pytest -n auto --dist worksteal --benchmark-disable --sweeps

check: $(DEV_STAMP) $(CORE_STAMP) ## lint, formatting, types and the rooms' imports
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-logo

format: $(DEV_STAMP) ## mend what the linter and the formatter can mend
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

# RLCard is installed for this alone: neither the game nor its tests need it, so the lock files do without it.
bench: $(DEV_STAMP) $(CORE_STAMP) build/bench/.installed ## measure speed, each ratio against its anchor in the same run
	build/bench/bin/python -m benchmarks.engine_vs_rlcard
	$(BIN)/python -m benchmarks.solver_vs_cpsat --hands 500
	build/bench/bin/python -m benchmarks.decision_times
	$(BIN)/python -m benchmarks.playouts

build/bench/.installed: pyproject.toml requirements.lock
	$(PYTHON) -m venv --clear build/bench
	build/bench/bin/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements.lock
	build/bench/bin/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation -e .
	build/bench/bin/python -m pip install --quiet --disable-pip-version-check rlcard
	@touch $@

lab: $(DEV_STAMP) ## make docs/lab.md anew from simulations (some ten minutes)
	$(BIN)/python lab/make_lab.py

prove: $(DEV_STAMP) $(CORE_STAMP) ## play 100,000 deals in the native core and check them by the engine (half an hour)
	$(BIN)/python lab/prove_playouts.py --deals 100000 --jobs 2

drive: $(DEV_STAMP) ## play whole matches through the app by keys, one to three people at it (an hour)
	$(BIN)/python tests/drivers/drive.py --minutes 120

monkey: $(DEV_STAMP) ## let a monkey play with keys, mouse, pastes and the terminal's size (20 minutes)
	$(BIN)/python tests/drivers/monkey.py

screenshots: $(DEV_STAMP) ## make the pictures in screenshots/ anew from the running app
	$(BIN)/python -m scripts.pictures

screens: $(DEV_STAMP) ## make pictures of every screen, side by side at every size and number of colours (half an hour)
	$(BIN)/python -m scripts.pictures screens

# Pillow is installed for this alone.
demo: $(DEV_STAMP) ## make docs/demo.gif anew: a deal in a minute, played by keys
	$(PYTHON) -m venv build/demo
	build/demo/bin/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements-dev.lock
	build/demo/bin/python -m pip install --quiet --disable-pip-version-check --no-build-isolation -e '.[demo]'
	build/demo/bin/python -m scripts.make_demo

man: $(DEV_STAMP) ## write the manual page, docs/kalooki.1, from the commands
	$(BIN)/python -m scripts.make_man

# MkDocs is installed for this alone.
docs: ## build the documents as a site in build/docs/site; every link and anchor has to lead somewhere
	$(PYTHON) -m venv build/docs/env
	build/docs/env/bin/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements-docs.lock
	$(PYTHON) scripts/make_docs.py
	NO_MKDOCS_2_WARNING=1 build/docs/env/bin/mkdocs build --strict --quiet

rules: $(DEV_STAMP) ## write docs/rules/, how to play with real cards, from the rulesets
	$(BIN)/python -m scripts.make_rules

contrast: $(DEV_STAMP) ## measure the contrast of every theme in truecolor, 256 and 16 colours
	$(BIN)/python -m scripts.contrast

# The compiler for all systems (100 MB) is not kept.
wheels: $(DEV_STAMP) ## make every file of a release in dist/: wheels for Linux and macOS, one without a core, the source
	$(PIP) --only-binary :all: --target build/compiler --require-hashes -r requirements-compiler.lock
	PYTHONPATH=build/compiler $(BIN)/python scripts/make_wheels.py dist
	rm -rf build/compiler

build: $(DEV_STAMP) ## build wheel and source distribution into dist/
	$(BIN)/python -m hatchling build -d dist

lock: ## resolve the lock files anew; UPGRADE=--upgrade also takes newer versions
	$(PYTHON) -m venv build/lock
	build/lock/bin/python -m pip install --quiet --disable-pip-version-check uv
	build/lock/bin/uv pip compile $(LOCK_OPTIONS) --extra build -o requirements.lock pyproject.toml
	build/lock/bin/uv pip compile $(LOCK_OPTIONS) --extra build --extra dev -c requirements.lock \
		-o requirements-dev.lock pyproject.toml
	build/lock/bin/uv pip compile $(LOCK_OPTIONS) --extra build --extra host -c requirements.lock \
		-o requirements-host.lock pyproject.toml
	echo "mkdocs-material>=9.5,<10" | build/lock/bin/uv pip compile $(LOCK_OPTIONS) -o requirements-docs.lock -
	echo "ziglang>=0.13" | build/lock/bin/uv pip compile $(LOCK_OPTIONS) -o requirements-compiler.lock -

LOCK_OPTIONS = --quiet --universal --python-version 3.11 --generate-hashes --no-header --no-emit-index-url $(UPGRADE)

# With the system's C compiler; where there is none, with one that is fetched for it (100 MB) and not kept. Without either
# the game does without the core, and says so once.
$(CORE_STAMP): $(wildcard $(CORE)/core/*.[ch]) $(CORE)/compiler.py requirements-compiler.lock | $(PLAY_STAMP)
	@$(BIN)/python $(CORE)/compiler.py --quiet || { \
		echo "There is no C compiler here: fetching one for the native core (100 MB, not kept) ..."; \
		$(PIP) --only-binary :all: --target build/compiler --require-hashes -r requirements-compiler.lock 2>/dev/null; \
		PYTHONPATH=build/compiler $(BIN)/python $(CORE)/compiler.py || true; rm -rf build/compiler; }
	@touch $@

clean: ## remove .venv, builds and caches
	rm -rf $(VENV) $(CORE)/core/kalooki.so build dist
	rm -rf .benchmarks .hypothesis .import_linter_cache .mypy_cache .pytest_cache .ruff_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

define make-venv
$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || { \
	echo "kalooki-tui needs Python 3.11 or newer, but $(PYTHON) is $$($(PYTHON) -V 2>/dev/null || echo missing):" \
		"name another, as in  make $(or $(MAKECMDGOALS),play) PYTHON=python3.12" >&2; exit 1; }
$(BIN)/python -c 'import sys, pip; sys.exit(sys.version_info < (3, 11))' 2>/dev/null \
	|| $(PYTHON) -m venv --clear $(VENV)
endef

$(PLAY_STAMP): pyproject.toml requirements.lock
	@$(make-venv)
	@echo "Installing kalooki-tui into $(VENV) (only needed when its dependencies change) ..."
	@$(PIP) --require-hashes -r requirements.lock
	@$(PIP) --no-deps --no-build-isolation -e .
	@$(BIN)/python -m compileall -q kalooki_tui
	@touch $@

$(DEV_STAMP): pyproject.toml requirements-dev.lock
	@$(make-venv)
	@echo "Installing kalooki-tui and its development tools into $(VENV) (only needed when they change) ..."
	@$(PIP) --require-hashes -r requirements-dev.lock
	@$(PIP) --no-deps --no-build-isolation -e .
	@touch $(PLAY_STAMP) $@
