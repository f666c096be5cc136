# What people run is what CI runs: .ci/run is `make test` on a fresh clone. Recipes call scripts, which
# ask what is installed when they need it: make itself expands a whole recipe before its first line.

CARGO ?= cargo

.PHONY: explore measure check test bench site release vendored setup

explore: ## measures this machine and opens the explorer on it, in your browser
	.ci/explore

measure: ## a quick signature of this machine, in target/this-machine.json
	.ci/explore measure

check: ## format, lints and unit tests: what to run after every change
	.ci/test check

test: ## sets up and runs every test, as CI does
	.ci/test

bench: ## prints the figures of every budget
	.ci/bench

site: ## the page in dist/, for any static host
	.ci/setup page
	$(CARGO) run --locked -p loggia-bundle

release: ## the command for any x86-64 Linux, with and without MPI, in one archive
	.ci/release

vendored: site ## all that a machine without a network needs, in target/loggia-vendored.tar.gz
	.ci/vendored

setup: ## what a fresh machine lacks: see .ci/setup
	.ci/setup
