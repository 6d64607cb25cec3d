/** What commands write to standard output. */

/** Prints an answer. @param facts what --json prints, on one line @param text what a person reads */
export function print(options: { readonly json?: boolean }, facts: unknown, text: string): void {
  console.log(options.json === true ? JSON.stringify(facts) : text);
}

/** Ends this program quietly, and as done, once a reader such as `head` has closed standard output. */
export function endWithReader(): void {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
    process.exit(0);
  });
}
