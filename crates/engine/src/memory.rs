//! Memory that is read here and there, and what the system can do for it.

/// Asks the system for large pages: looking up a page costs more than reading what lies in it. The memory is not touched,
/// and a system that has none may refuse.
pub fn ask_for_large_pages<T>(memory: *mut T, bytes: usize) {
    #[cfg(target_os = "linux")]
    {
        const PAGE: usize = 4096;
        let memory = memory.cast::<u8>();
        let skipped = memory.align_offset(PAGE);
        if skipped < bytes {
            // SAFETY: the range lies within memory that belongs to the caller, and advice changes nothing in it.
            unsafe { libc::madvise(memory.wrapping_add(skipped).cast(), bytes - skipped, libc::MADV_HUGEPAGE) };
        }
    }
    #[cfg(not(target_os = "linux"))]
    let _ = (memory, bytes);
}
