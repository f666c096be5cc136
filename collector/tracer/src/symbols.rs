//! Addresses of the MPI library's functions and objects.

use std::ffi::{CStr, CString, c_void};
use std::sync::atomic::{AtomicBool, AtomicPtr, Ordering};

/// A function of the library, looked up when it is first wanted.
pub(crate) struct Function {
    /// Libraries may give it different names.
    names: &'static [&'static CStr],
    address: AtomicPtr<c_void>,
}

impl Function {
    pub(crate) const fn new(names: &'static [&'static CStr]) -> Self {
        Function { names, address: AtomicPtr::new(std::ptr::null_mut()) }
    }

    /// Where it is.
    ///
    /// A program that calls a function which its library lacks cannot go on; without us it would not
    /// even have started.
    #[inline]
    pub(crate) fn address(&self) -> *mut c_void {
        let known = self.address.load(Ordering::Relaxed);
        if known.is_null() { self.look_up() } else { known }
    }

    #[cold]
    fn look_up(&self) -> *mut c_void {
        let found = self.names.iter().map(|name| find(name)).find(|found| !found.is_null());
        let Some(found) = found else {
            eprintln!("loggia: the MPI library has none of {:?}", self.names);
            std::process::abort();
        };
        self.address.store(found, Ordering::Relaxed);
        found
    }
}

/// Address of a function or an object; null if it does not exist.
pub(crate) fn find(name: &CStr) -> *mut c_void {
    // The program's own copy of an object, if it has one, is the one that everybody uses.
    // SAFETY: the name is a C string.
    let found = unsafe { libc::dlsym(libc::RTLD_DEFAULT, name.as_ptr()) };
    match found.is_null() {
        true => in_hidden_library(name),
        false => found,
    }
}

/// Whether this library has been made ready by the dynamic linker.
static READY: AtomicBool = AtomicBool::new(false);

#[used]
#[unsafe(link_section = ".init_array")]
static MADE_READY: extern "C" fn() = {
    extern "C" fn ready() {
        READY.store(true, Ordering::Relaxed);
    }
    ready
};

/// A wrapper's address, or null where the MPI library has no function of that name.
///
/// The dynamic linker asks for it. While it starts the program, which is linked to its MPI library
/// then, and so has only names that are there, nothing else can be called: this library may not be
/// ready itself.
pub(crate) fn if_known(name: &CStr, wrapper: *const c_void) -> *const c_void {
    if READY.load(Ordering::Relaxed) && find(name).is_null() { std::ptr::null() } else { wrapper }
}

/// In a library that was loaded privately by a module of a scripting language.
fn in_hidden_library(name: &CStr) -> *mut c_void {
    let maps = std::fs::read_to_string("/proc/self/maps").unwrap_or_default();
    let mut seen = "";
    for line in maps.lines() {
        let Some(path) = line.find('/').map(|at| &line[at..]) else { continue };
        let file = path.rsplit('/').next().unwrap_or_default();
        let is_mpi = file.starts_with("libmpi") || file.starts_with("libpmpi");
        if !is_mpi || path == seen {
            continue;
        }
        seen = path;
        let Ok(path) = CString::new(path) else { continue };
        // SAFETY: it is loaded already; this only asks for its handle.
        let found = unsafe {
            let library = libc::dlopen(path.as_ptr(), libc::RTLD_NOW | libc::RTLD_NOLOAD);
            if library.is_null() {
                continue;
            }
            libc::dlsym(library, name.as_ptr())
        };
        if !found.is_null() {
            return found;
        }
    }
    std::ptr::null_mut()
}

/// A function of the library as what it is.
macro_rules! real {
    ($name:literal as $type:ty) => {{
        static FUNCTION: $crate::symbols::Function = $crate::symbols::Function::new(&[$name]);
        // SAFETY: MPI says that the function of this name has this type.
        unsafe { std::mem::transmute::<*mut std::ffi::c_void, $type>(FUNCTION.address()) }
    }};
}
pub(crate) use real;
