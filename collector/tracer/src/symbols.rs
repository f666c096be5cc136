//! Addresses of the MPI library's functions and objects.

use std::ffi::{CStr, CString, c_void};
use std::sync::atomic::{AtomicBool, AtomicPtr, Ordering};

/// A function of the library, looked up at its first use.
pub(crate) struct Function {
    /// The names of the function in different libraries.
    names: &'static [&'static CStr],
    address: AtomicPtr<c_void>,
}

impl Function {
    pub(crate) const fn new(names: &'static [&'static CStr]) -> Self {
        Function { names, address: AtomicPtr::new(std::ptr::null_mut()) }
    }

    /// The address of the function.
    ///
    /// Aborts a program that calls a function which its library lacks; without this library, the
    /// program would not start.
    #[inline]
    pub(crate) fn address(&self) -> *mut c_void {
        let known = self.address.load(Ordering::Relaxed);
        if known.is_null() { self.look_up() } else { known }
    }

    #[cold]
    fn look_up(&self) -> *mut c_void {
        let found = self.names.iter().map(|name| find(name)).find(|found| !found.is_null());
        let Some(found) = found else {
            eprintln!("loggia: the MPI library has none of the functions {:?}", self.names);
            std::process::abort();
        };
        self.address.store(found, Ordering::Relaxed);
        found
    }
}

/// Address of a function or an object; null if it does not exist.
pub(crate) fn find(name: &CStr) -> *mut c_void {
    // If the program has its own copy of an object, all libraries use this copy.
    // SAFETY: the name is a C string.
    let found = unsafe { libc::dlsym(libc::RTLD_DEFAULT, name.as_ptr()) };
    match found.is_null() {
        true => in_hidden_library(name),
        false => found,
    }
}

/// Whether the dynamic linker has initialised this library.
static READY: AtomicBool = AtomicBool::new(false);

#[used]
#[unsafe(link_section = ".init_array")]
static SET_READY: extern "C" fn() = {
    extern "C" fn set_ready() {
        READY.store(true, Ordering::Relaxed);
    }
    set_ready
};

/// A wrapper's address, or null if the MPI library has no function of this name.
///
/// The dynamic linker calls this. During the start of the program no other function can be called,
/// because this library may not be ready. A program that is linked to its MPI library has only
/// existing names, so the wrapper's address is right.
pub(crate) fn wrapper_if_known(name: &CStr, wrapper: *const c_void) -> *const c_void {
    if READY.load(Ordering::Relaxed) && find(name).is_null() { std::ptr::null() } else { wrapper }
}

/// Address of a function or object in a library that a module of a scripting language loaded privately.
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
        // SAFETY: the library is loaded; this call only returns its handle.
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

/// A function of the library, with its type.
macro_rules! real {
    ($name:literal as $type:ty) => {{
        static FUNCTION: $crate::symbols::Function = $crate::symbols::Function::new(&[$name]);
        // SAFETY: in the MPI standard, the function of this name has this type.
        unsafe { std::mem::transmute::<*mut std::ffi::c_void, $type>(FUNCTION.address()) }
    }};
}
pub(crate) use real;
