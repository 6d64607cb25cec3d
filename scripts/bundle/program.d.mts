/** Finds the program of a checkout as JavaScript: the types of program.mjs. */
export function findProgram(root: string): string | undefined;
