# CI runs `make test` in a fresh clone (.ci/run). Recipes call scripts, which find installed tools at run
# time; make expands a whole recipe before it runs the first line.

CARGO ?= cargo

.PHONY: explore measure check test bench fuzz site release vendored setup

explore: ## opens the explorer in the browser and measures this machine
	.ci/explore

measure: ## measures this machine quickly, into target/this-machine.json
	.ci/explore measure

check: ## checks format and lints, runs unit tests: run it after every change
	.ci/test check

test: ## runs every test, as CI does; installs missing tools
	.ci/test

bench: ## prints the measured value of every budget
	.ci/bench

# An argument, since bash has another variable SECONDS.
fuzz: ## fuzzes each reader of untrusted input: SECONDS=600 TARGET=goal
	fuzz/run $(or $(SECONDS),600) $(TARGET)

site: ## builds the page in dist/, for any static host
	.ci/setup page
	$(CARGO) run --locked -p loggia-bundle

release: ## packs the command for any x86-64 Linux, with and without MPI
	.ci/release

vendored: site ## packs everything to build without a network, into target/loggia-vendored.tar.gz
	.ci/vendored

setup: ## installs the missing tools of a fresh machine
	.ci/setup
