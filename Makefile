# What people run is what CI runs: .ci/run is `make test` on a fresh clone.

CARGO ?= cargo
WASM = --target wasm32-unknown-unknown -p loggia-model -p loggia-engine

.PHONY: explore test bench site setup

explore: site ## the page in your browser
	$(CARGO) run --release --locked -p loggia -- serve --open

# The page comes first: the command embeds it. The model's tests run a second time as wasm32, in
# an interpreter, where code that is not optimised at all would be ten times slower.
test: setup
	$(CARGO) fmt --all --check
	$(CARGO) run --locked -p loggia-bundle
	$(CARGO) clippy --locked --workspace --all-targets -- -D warnings
	$(CARGO) clippy --locked $(WASM) -p loggia-web -p loggia-worker --lib --bins --tests -- -D warnings
	$(CARGO) test --locked --workspace
	CARGO_PROFILE_TEST_OPT_LEVEL=1 $(CARGO) test --locked $(WASM) --lib --tests

bench: site ## prints the figures of every budget
	$(CARGO) bench --locked --workspace --bench '*'

site: ## the page in dist/, for any static host
	.ci/setup page
	$(CARGO) run --locked -p loggia-bundle

setup: ## what a fresh machine lacks: see .ci/setup
	.ci/setup
