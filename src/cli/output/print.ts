/** What commands write to standard output. */

/** Prints an answer. @param facts what --json prints, on one line @param text what a person reads */
export function print(options: { readonly json?: boolean }, facts: unknown, text: string): void {
  console.log(options.json === true ? JSON.stringify(facts) : text);
}

/** Prints lines as they come. @param pieces of their text, cut anywhere */
export async function printPieces(pieces: AsyncIterable<string>): Promise<void> {
  let rest = '';
  for await (const piece of pieces) {
    const lines = (rest + piece).split('\n');
    rest = lines.pop() ?? '';
    if (lines.length > 0) console.log(lines.join('\n'));
  }
  if (rest !== '') console.log(rest);
}

/** Ends this program quietly, and as done, once a reader such as `head` has closed standard output. */
export function endWithReader(): void {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
    process.exit(0);
  });
}
