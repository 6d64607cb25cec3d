/** A bar for work that takes a while, where a person watches; nothing is written where none does. */

const WIDTH = 30;

interface Progress {
  /** As far as it has come; may be called often. */
  at(done: number, total: number): void;
  /** Takes the bar away. */
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
