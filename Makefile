# Every target sets up what it needs and then hands over to tools/dev.py (on Windows: py tools/dev.py run).
# Options for the program behind a target go in ARGS, as in: make run ARGS="--port 9000"

ARGS ?=
ifndef PYTHON
PYTHON := $(shell for python in python3.14 python3.13 python3.12 python3.11 python3 python; do \
	$$python -c 'import sys, ensurepip; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1 && echo $$python && break; done)
endif
DEV = $(if $(PYTHON),@$(PYTHON) tools/dev.py,$(error Python 3.11 or newer with its venv module is needed and was not found. \
	Install it (Debian, Ubuntu: sudo apt-get install python3 python3-venv; macOS: brew install python), \
	or name one that you have: make PYTHON=/path/to/python3))

.DEFAULT_GOAL := help
.PHONY: help setup run demo test test-long lint format coverage screenshots lock bench docs dist release clean

help: ## Show this list
	@sed -n 's/^\([a-z-]*\):.*## /\1  /p' Makefile | awk -F '  ' '{ printf "  make %-10s %s\n", $$1, $$2 }'

run: ## Start the bridge
	$(DEV) run $(ARGS)

demo: ## Play a short session without Foundry
	$(DEV) demo $(ARGS)

test: ## Run every check and every test (Python, module, browser)
	$(DEV) test $(ARGS)

test-long: ## Run the same with the full counts and the long tests
	$(DEV) test-long $(ARGS)

lint: ## Run the checks only
	$(DEV) lint

format: ## Put the Python files in the house format
	$(DEV) format

coverage: ## Run the Python tests and show which lines of the bridge none reached
	$(DEV) coverage $(ARGS)

screenshots: ## Take the pictures of the documentation anew
	$(DEV) screenshots

setup: ## Install all that the other targets need
	$(DEV) setup

lock: ## Take the newest allowed version of every dependency into the lock files
	$(DEV) lock

bench: ## Measure how fast it is (ARGS=--quick: a minute)
	$(DEV) bench $(ARGS)

docs: ## Build the documentation into dist/docs
	$(DEV) docs $(ARGS)

dist: ## Build the wheel and the Foundry module into dist/
	$(DEV) dist $(ARGS)

release: ## Show a release (VERSION=1.2.3); with ARGS=--yes make it
	$(DEV) release $(VERSION) $(ARGS)

clean: ## Remove what the set-up and the tools made
	$(DEV) clean
