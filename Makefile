# What people run is what CI runs: .ci/run is `make test` on a fresh clone.

CARGO ?= cargo
WASM = --target wasm32-unknown-unknown -p loggia-model -p loggia-engine -p loggia-trace
# Asked when it is needed, for set-up may have installed MPI by then.
MPI = $(shell .ci/mpi features)
HERE = target/this-machine.json

.PHONY: explore measure test bench site vendored setup

explore: site measure ## measures this machine and opens the explorer on it, in your browser
	target/release/loggia serve $(HERE) --open

measure: site ## a quick signature of this machine, in target/this-machine.json
	.ci/setup measure
	$(CARGO) build --release --locked -p loggia $(MPI)
	$(if $(MPI),.ci/mpi run 2) target/release/loggia collect --quick --overwrite -o $(HERE)

# The page comes first: the command embeds it. The model's tests run a second time as wasm32, in
# an interpreter, where code that is not optimised at all would be ten times slower.
test: setup
	$(CARGO) fmt --all --check
	$(CARGO) run --locked -p loggia-bundle
	$(CARGO) clippy --locked --workspace --all-targets $(MPI) -- -D warnings
	$(CARGO) clippy --locked $(WASM) -p loggia-web -p loggia-worker --lib --bins --tests -- -D warnings
	$(CARGO) test --locked --workspace $(MPI)
	.ci/other-mpi
	CARGO_PROFILE_TEST_OPT_LEVEL=1 $(CARGO) test --locked $(WASM) --lib --tests

bench: site ## prints the figures of every budget
	$(if $(MPI),$(CARGO) build --release --locked -p loggia $(MPI) --examples)
	$(CARGO) bench --locked --workspace $(MPI) --bench '*'
	LOGGIA_COVERAGE_RUNS=200 LOGGIA_COMPARE_PAIRS=100 $(CARGO) test --release --locked -p loggia --test synthetic -- --nocapture

site: ## the page in dist/, for any static host
	.ci/setup page
	$(CARGO) run --locked -p loggia-bundle

vendored: site ## all that a machine without a network needs, in target/loggia-vendored.tar.gz
	.ci/vendored

setup: ## what a fresh machine lacks: see .ci/setup
	.ci/setup
