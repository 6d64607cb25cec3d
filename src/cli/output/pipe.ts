/** Standard output that a reader such as `head` may close when it has enough. */

/** Ends this program quietly, and as done, once nobody reads on. */
export function endWithReader(): void {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
    process.exit(0);
  });
}
