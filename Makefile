# CI runs `make test` on a fresh clone (.ci/run). Recipes call scripts, which look for installed tools
# when they need them; make itself expands a whole recipe before it runs the first line.

CARGO ?= cargo

.PHONY: explore measure check test bench fuzz site release vendored setup

explore: ## opens the explorer in your browser and measures this machine
	.ci/explore

measure: ## measures this machine quickly, into target/this-machine.json
	.ci/explore measure

check: ## checks format and lints, runs unit tests: run it after every change
	.ci/test check

test: ## runs every test, as CI does; installs what is missing
	.ci/test

bench: ## prints the figure of every budget
	.ci/bench

# SECONDS is a variable of bash with another meaning, so it is an argument.
fuzz: ## fuzzes each reader of others' files: SECONDS=600 TARGET=goal
	fuzz/run $(or $(SECONDS),600) $(TARGET)

site: ## builds the page in dist/, for any static host
	.ci/setup page
	$(CARGO) run --locked -p loggia-bundle

release: ## packs the command for any x86-64 Linux, with and without MPI
	.ci/release

vendored: site ## packs what a machine without a network needs, into target/loggia-vendored.tar.gz
	.ci/vendored

setup: ## installs what a fresh machine lacks
	.ci/setup
