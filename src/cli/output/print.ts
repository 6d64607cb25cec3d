/** What commands write to a terminal, a file or a pipe: answers, colours where a person looks, and how far a long work is. */

import pc from 'picocolors';

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

const wanted = process.stdout.isTTY === true && !process.env['NO_COLOR'] && process.env['TERM'] !== 'dumb';

export const colour = pc.createColors(wanted);

const WIDTH = 30;

interface Progress {
  /** Draws how much is done; may be called often. */
  at(done: number, total: number): void;
  /** Removes the bar. */
  end(): void;
}

/** @param label what is being done, such as "Copying" @param stream where it is drawn */
export function progress(label: string, stream: NodeJS.WriteStream = process.stderr): Progress {
  if (stream.isTTY !== true) return { at: () => {}, end: () => {} };
  let drawn = '';
  return {
    at(done, total) {
      const share = total === 0 ? 1 : done / total;
      const filled = Math.round(share * WIDTH);
      const bar = `${label} ${'█'.repeat(filled)}${'░'.repeat(WIDTH - filled)} ${Math.floor(share * 100)} %`;
      if (bar === drawn) return;
      drawn = bar;
      stream.write(`\r${bar}`);
    },
    end() {
      if (drawn !== '') stream.write(`\r${' '.repeat(drawn.length)}\r`);
      drawn = '';
    },
  };
}
