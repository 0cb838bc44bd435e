// How the program asks for memory.
#pragma once

namespace pravo {

// From now on the heap lies in pages of 2 MiB where the system has them on request (transparent huge pages). A large
// configuration fills its memory once, in milliseconds, and most of what that costs is one fault for each page of
// 4 KiB. Call it before anything is allocated; it is advice and never fails.
void use_large_pages();

// From now on what is freed goes back to the system at once, which otherwise waits for some more use of it. Call it
// before a large part of the memory is given up.
void return_freed_memory();

}  // namespace pravo
