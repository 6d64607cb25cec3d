/** Which extensions the nodes of a run have, as the setting EXTENSIONS says it: all of them, unless the run is one of the kernel's tests. A test that needs all names it itself. */
export const EXTENSIONS = process.env['TEST_EXTENSIONS'] ?? '';
