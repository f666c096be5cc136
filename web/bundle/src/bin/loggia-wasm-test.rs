//! Runs a test program compiled for wasm32-unknown-unknown: cargo's runner for that target (see
//! `.cargo/config.toml`), so that the model is tested as the very code that the page runs.
//!
//! That target has no output, no arguments and no unwinding. The test program is therefore called
//! without any, a failed test ends the run by a trap, and what the program meant to print is found
//! where it formatted it: in its memory.

use std::env;
use std::fs;
use std::process::ExitCode;
use wasmi::{Config, Engine, Linker, Module, Store};

fn main() -> ExitCode {
    let Some(path) = env::args().nth(1) else {
        eprintln!("usage: loggia-wasm-test FILE.wasm (a test program that imports nothing)");
        return ExitCode::from(2);
    };
    if env::args().skip(2).any(|argument| !argument.starts_with('-')) {
        eprintln!("loggia-wasm-test: wasm32 has no arguments: all tests run, unfiltered");
    }
    match fs::read(&path).map_err(|error| error.to_string()).and_then(|wasm| run(&wasm)) {
        Ok(summary) => {
            println!("wasm32 tests ok: {summary}");
            ExitCode::SUCCESS
        }
        Err(failure) => {
            eprintln!("wasm32 tests FAILED: {failure}\n  in {path}");
            ExitCode::FAILURE
        }
    }
}

/// Calls the program's `main`. The summary of a run in which every test passed, or why not.
fn run(wasm: &[u8]) -> Result<String, String> {
    let mut config = Config::default();
    // The limits should be those of the program: its own stack, 1 MiB, ends before these.
    config.set_max_recursion_depth(1 << 16).set_max_stack_height(64 << 20);
    let engine = Engine::new(&config);
    let module = Module::new(&engine, wasm).map_err(|error| error.to_string())?;
    let mut store = Store::new(&engine, ());
    let instance = Linker::new(&engine)
        .instantiate_and_start(&mut store, &module)
        .map_err(|error| format!("cannot start it: {error}"))?;
    let main = instance
        .get_typed_func::<(i32, i32), i32>(&store, "main")
        .map_err(|error| format!("not a test program: {error}"))?;
    let outcome = main.call(&mut store, (0, 0));
    let memory = instance.get_memory(&store, "memory");
    let memory = memory.map_or(&[][..], |memory| memory.data(&store));
    match outcome {
        Ok(0) => Ok(counts(memory).unwrap_or_else(|| "ran to the end".to_owned())),
        Ok(code) => Err(format!("it returned {code}")),
        Err(trap) => {
            let test = test_name(memory).unwrap_or("a test whose name is lost");
            let message = panic_message(memory).unwrap_or("no panic message");
            Err(format!("{test}: {trap}\n{message}"))
        }
    }
}

/// `3 passed; 0 failed; …`, the last line that the test harness wrote.
fn counts(memory: &[u8]) -> Option<String> {
    texts(memory, b". ")
        .find(|text| text.starts_with(|c: char| c.is_ascii_digit()) && text.contains(" passed; "))
        .and_then(|text| Some(text.split_once(" filtered")?.0.to_owned()))
        .map(|text| text.replace("; 0 measured; 0", ""))
}

/// The harness writes `test NAME ... ` before it calls the test.
fn test_name(memory: &[u8]) -> Option<&str> {
    texts(memory, b"test ")
        .filter_map(|text| Some(text.split_once(" ... ")?.0))
        .find(|name| !name.is_empty() && !name.contains(char::is_whitespace))
}

/// What the standard panic hook wrote; its format string is in memory, too, but in pieces.
fn panic_message(memory: &[u8]) -> Option<&str> {
    texts(memory, b"\nthread '")
        .filter(|text| text.contains(" panicked at "))
        .map(|text| text.split_once(" panicked at ").map_or(text, |(_, message)| message))
        .map(|text| text.split_once("\nnote: ").map_or(text, |(message, _)| message).trim_end())
        .max_by_key(|text| text.len())
}

/// What follows each place where the mark stands, as far as it is text.
fn texts<'a>(memory: &'a [u8], mark: &'static [u8]) -> impl Iterator<Item = &'a str> {
    /// Longer than any line of the harness, and enough of a panic message.
    const LONGEST: usize = 4096;
    let starts = memory.windows(mark.len()).enumerate().filter(move |(_, window)| *window == mark);
    starts.filter_map(move |(at, _)| {
        let bytes = &memory[at + mark.len()..memory.len().min(at + mark.len() + LONGEST)];
        let end = bytes.iter().position(|byte| *byte < b'\n').unwrap_or(bytes.len());
        bytes[..end].utf8_chunks().next().map(|chunk| chunk.valid())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_the_counts() {
        let memory = b"\0\x02. \xc0\x09 passed; \0. 3 passed; 0 failed; 2 ignored; 0 measured; 0 filtered outead\0";
        assert_eq!(counts(memory).as_deref(), Some("3 passed; 0 failed; 2 ignored"));
        assert_eq!(counts(b"nothing here"), None);
    }

    #[test]
    fn reads_the_failing_test() {
        let memory = b"\x05test \xc0\x05 ... \0test a::fails ... e_than_others ... n\0\
            \nthread '\xc0\x03' (\xc0\x0e) panicked at \xc0\x02:\n\
            \0\nthread 'main' (1) panicked at src/lib.rs:9:5:\nleft: 3\nnote: run with";
        assert_eq!(test_name(memory), Some("a::fails"));
        assert_eq!(panic_message(memory), Some("src/lib.rs:9:5:\nleft: 3"));
    }

    /// The runner must be able to fail: `unreachable` in main, as after a panic, and a bad file.
    #[test]
    fn a_trap_is_a_failure() {
        let returns = |code: &[u8]| program(&[&[0x00, 0x41], code, &[0x0b]].concat());
        assert_eq!(run(&returns(&[0])), Ok("ran to the end".to_owned()));
        assert_eq!(run(&returns(&[1])), Err("it returned 1".to_owned()));
        let trapped = run(&program(&[0x00, 0x00, 0x0b]));
        assert!(trapped.is_err_and(|why| why.contains("a test whose name is lost")));
        assert!(run(b"\0asm").is_err());
    }

    /// A module whose only function, `main`, has this body (no locals, instructions, end).
    fn program(body: &[u8]) -> Vec<u8> {
        let length = |bytes: &[u8]| u8::try_from(bytes.len()).unwrap();
        let code = [&[1, length(body)], body].concat();
        [
            b"\0asm\x01\0\0\0".as_slice(),
            b"\x01\x07\x01\x60\x02\x7f\x7f\x01\x7f", // type: (i32, i32) -> i32
            b"\x03\x02\x01\x00",                     // function 0 has type 0
            b"\x07\x08\x01\x04main\x00\x00",         // export
            &[10, length(&code)],
            &code,
        ]
        .concat()
    }
}
