# Two commands matter: `make audit` and `make test`. Both set everything up first; neither needs more than Python 3.11+ and the package registry.
PYTHON ?= python3
BIN := .venv/bin
WAGERS ?= 300000
KILLS ?= 1000
READY := .venv/.ready
TOOLS := .venv/.tools
OTHERS := .venv-others/.ready
SECONDS ?= 300
FORMATS := filing profile "wallet profile" "control totals" roster log "log, gzip" history "tables, csv" "tables, parquet" \
	ledger "ledger, csv" "ledger, parquet"

.PHONY: help audit test exhaustive kills poison fuzz mutants advisories bench lint format docs lock clean
help:  ## what there is to make
	@grep -hE '^[a-z]+:.*##' $(MAKEFILE_LIST) | awk -F ':.*## ' '{printf "  make %-11s %s\n", $$1, $$2}'

$(READY): requirements.lock pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "Resettle needs Python 3.11 or newer; '$(PYTHON)' is $$($(PYTHON) --version 2>&1). Try: make PYTHON=python3.12 $(MAKECMDGOALS)"; exit 2; }
	@echo "Setting up .venv (once; about two minutes)"
	@$(PYTHON) -m venv --clear .venv
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes --requirement requirements.lock
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --editable .
	@touch $@

$(TOOLS): requirements-tools.lock $(READY)
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes --requirement requirements-tools.lock
	@touch $@

# What this project is measured against wants an older Polars, so it lives apart.
$(OTHERS): requirements-others.lock
	@$(PYTHON) -m venv --clear .venv-others
	@.venv-others/bin/python -m pip install --quiet --disable-pip-version-check --require-hashes --requirement requirements-others.lock
	@touch $@

audit: $(READY)  ## audit the sample day as a Prefect flow; ends in a summary and the report's path
	@$(BIN)/python -m flows sample_data/rounds.ndjson --wallet sample_data/wallet.ndjson --filings sample_data/filings \
		--control-totals sample_data/control-totals.csv --roster sample_data/roster.csv --lake lake --report report

test: $(READY)  ## the tests that every change must pass
	@$(BIN)/python -m pytest

exhaustive: $(READY)  ## the proofs over every hand and deal there is, and the longest tests; half an hour
	@$(BIN)/python -m pytest -m exhaustive

kills: $(READY)  ## audits killed at random moments: make kills KILLS=100 (else 1000, which takes hours)
	@$(BIN)/python -m pytest tests/trust/test_kills.py -k random_moment --kills $(KILLS) --dist load

poison: $(READY)  ## ten thousand files of each format poisoned at random, other ones each time; an hour
	@$(BIN)/python -m pytest tests/trust/test_fuzz.py -m exhaustive --poison 10000 --dist load

fuzz: $(TOOLS)  ## each reader fuzzed for five minutes where new ground is found: make fuzz SECONDS=3600; Linux
	@for format in $(FORMATS); do $(BIN)/python -m tests.fuzz.guided "$$format" -max_total_time=$(SECONDS) || exit 1; done

mutants: $(TOOLS)  ## do the tests notice a fault in engines, reconciliation and checks? a day; make mutants MUTANTS="--share 0.05"; not on Windows
	@$(BIN)/python -m tests.mutants.sql $(MUTANTS)
	@$(BIN)/python -m tests.mutants.python $(MUTANTS)

advisories: $(TOOLS)  ## whether advisories are out against the locked dependencies, where the registry knows them
	@$(BIN)/python .ci/advisories.py

bench: $(READY) $(OTHERS)  ## speed, memory and growth on this machine: make bench WAGERS=1000000 (else 300000); bench/README.md has figures
	@$(BIN)/python bench/speed.py --wagers $(WAGERS)
	@$(BIN)/python bench/engines.py --wagers $(WAGERS)
	@$(BIN)/python bench/wallet.py --wagers $(WAGERS)
	@$(BIN)/python bench/growth.py
	@$(BIN)/python bench/against.py --wagers $(WAGERS) --others .venv-others/bin/python

lint: $(READY)  ## ruff and mypy, as CI runs them
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@$(BIN)/mypy

format: $(READY)  ## put the code into the one format
	@$(BIN)/ruff check --fix .
	@$(BIN)/ruff format .

docs: $(READY)  ## make the pages in docs/ that come from the code and the SQL
	@$(BIN)/python -m pipeline.reference docs

lock: $(READY)  ## make the three locks anew from pyproject.toml (needs uv on the path)
	@uv pip compile pyproject.toml --group dev --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-emit-find-links \
		--no-header --output-file requirements.lock
	@uv pip compile --group pyproject.toml:audit --group pyproject.toml:fuzz --group pyproject.toml:mutants --constraint requirements.lock \
		--universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-emit-find-links --no-header \
		--output-file requirements-tools.lock
	@uv pip compile --group pyproject.toml:others --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-emit-find-links \
		--no-header --output-file requirements-others.lock

clean:  ## remove what the commands above made
	@rm -rf .venv .venv-others .fuzz .mutants lake report .prefect .pytest_cache .mypy_cache .ruff_cache .hypothesis
