# The commands of this project. A fresh machine needs python3, pip, make and git; the rest is installed here.
PYTHON ?= python3
UV := .uv/bin/uv
BIN := .venv/bin
DATA ?=
# Hundreds of programs are started: each would compile every module anew where nothing compiled is kept.
unexport PYTHONDONTWRITEBYTECODE
# Each worker begins with tests that stand together, so that what they share is made once. One more than there are
# cores: many tests wait for servers and programs.
PYTEST = $(BIN)/python -m pytest -n $${PYTEST_WORKERS:-$$(($$(getconf _NPROCESSORS_ONLN) + 1))} --dist worksteal
FAST := tests/unit/query tests/unit/guard tests/unit/analyst tests/unit/lexicon tests/unit/arithmetic tests/unit/precedents \
  tests/unit/effects tests/unit/rules tests/unit/fixing \
  tests/house/test_house_rules.py src/oldhand/record src/oldhand/query src/oldhand/lexicon src/oldhand/errors

.PHONY: help install demo test test-fast lint bench trials docs lock format clean
help:  ## List the commands
	@grep -E '^[a-z-]+:.*##' Makefile | sed -E 's/:[^#]*## /\t/' | expand -t 10

install: .venv/.run  ## Install Oldhand into .venv, drivers and model providers included
	@echo 'Ready: . .venv/bin/activate && oldhand --help'

demo: .venv/.run  ## Make a small company and ask it thirteen questions
	@$(BIN)/oldhand demo $(ARGS)

test: .venv/.dev  ## Run all tests
	@sh tests/install_parts.sh
	@$(PYTEST) $(ARGS)

test-fast: .venv/.dev  ## Run the tests of the parts that decide what is right: minutes less, no servers
	@$(PYTEST) -m "not slow and not trial" $(FAST) $(ARGS)

lint: .venv/.dev  ## Check style, types and the map of imports
	@$(BIN)/ruff format --check . && $(BIN)/ruff check . && $(BIN)/lint-imports && $(BIN)/basedpyright

format: .venv/.dev  ## Put the code in the house format
	@$(BIN)/ruff format . && $(BIN)/ruff check --fix .

bench: .venv/.bench  ## Print the measurements; DATA=folder adds those on public data
	@$(BIN)/python -m benchmarks $(if $(DATA),--data $(DATA)) $(ARGS)

TRIALS := limits poison keys ledger_kills
trials: .venv/.bench  ## Run the tests on more data, and print what attacks, abuse and undeclared keys come to, as tables
	@$(PYTEST) -m trial
	@$(BIN)/python -m benchmarks $(TRIALS)

docs: .venv/.dev  ## Write the generated parts of README and docs anew
	@$(BIN)/python -m docs.generate

lock: $(UV)  ## Lock the versions of all packages anew
	@$(UV) pip compile -q pyproject.toml --extra demo --extra openai --extra anthropic --extra mysql --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-annotate --no-header -o requirements/run.txt
	@$(UV) pip compile -q pyproject.toml --extra all --group dev --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-annotate --no-header -c requirements/run.txt -o requirements/dev.txt
	@$(UV) pip compile -q --group bench --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-annotate --no-header -c requirements/dev.txt -o requirements/bench.txt
	@$(UV) pip compile -q --group embedder --no-deps --python-version 3.11 --generate-hashes --no-emit-index-url --no-annotate --no-header -o requirements/embedder.txt

$(UV):
	@PIP_ROOT_USER_ACTION=ignore $(PYTHON) -m pip install -q --disable-pip-version-check --target .uv uv==$(shell cat requirements/uv.txt)

.venv/bin/python: $(UV)
	@$(UV) venv -q --python $(PYTHON) --allow-existing .venv

.venv/.run: .venv/bin/python requirements/run.txt pyproject.toml
	@test -e .venv/.dev || { echo 'Installing into .venv, once; it takes about half a minute…' >&2 && \
	  $(UV) pip install -q --compile-bytecode --python .venv/bin/python --require-hashes -r requirements/run.txt && \
	  $(UV) pip install -q --compile-bytecode --python .venv/bin/python --no-deps -e . ; }
	@touch $@

.venv/.dev: .venv/bin/python requirements/dev.txt pyproject.toml
	@echo 'Installing into .venv, once; it takes about a minute…' >&2
	@$(UV) pip sync -q --compile-bytecode --python .venv/bin/python --require-hashes requirements/dev.txt
	@$(UV) pip install -q --compile-bytecode --python .venv/bin/python --no-deps -e .
	@touch $@

.venv/.bench: .venv/.dev requirements/bench.txt requirements/embedder.txt
	@$(UV) pip install -q --compile-bytecode --python .venv/bin/python --require-hashes -r requirements/bench.txt
	@$(UV) pip install -q --python .venv/bin/python --no-deps --require-hashes -r requirements/embedder.txt
	@touch $@

clean:  ## Remove what was installed or made here
	@rm -rf .uv .venv build dist demo-home
