/** A progress bar for a person at a terminal; elsewhere nothing is written. */

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
