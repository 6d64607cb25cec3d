/** Figures as text: a table of servers, and one line per target. */

export interface Row {
  readonly name: string;
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly cpuMicroseconds: number;
  readonly peakMib: number;
  /** Share of its core that the load generator used, 0 to 1. */
  readonly generatorShare: number;
}

export interface Target {
  readonly name: string;
  readonly figure: number;
  readonly target: number;
  readonly better: 'higher' | 'lower';
  /** The same ratio in each round, for its spread. */
  readonly rounds: readonly number[];
}

export function median(values: readonly number[]): number {
  return percentile(values, 50);
}

/** The nearest-rank percentile; NaN of nothing. */
export function percentile(values: readonly number[], percent: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil((percent / 100) * sorted.length) - 1)] ?? Number.NaN;
}

export function tableOf(rows: readonly Row[]): string {
  const head = ['', 'per s', 'p50 ms', 'p99 ms', 'CPU µs each', 'peak MiB', 'generator'];
  const cells = rows.map((row) => [
    row.name,
    row.perSecond.toFixed(0),
    row.p50Ms.toFixed(2),
    row.p99Ms.toFixed(2),
    row.cpuMicroseconds.toFixed(0),
    row.peakMib.toFixed(0),
    `${(row.generatorShare * 100).toFixed(0)} %`,
  ]);
  const widths = head.map((_, column) => Math.max(...[head, ...cells].map((line) => (line[column] ?? '').length)));
  return [head, ...cells]
    .map((line) =>
      line.map((cell, i) => (i === 0 ? cell.padEnd(widths[i] ?? 0) : cell.padStart(widths[i] ?? 0))).join('  '),
    )
    .join('\n');
}

export function lineOf({ name, figure, target, better, rounds }: Target): string {
  const met = better === 'higher' ? figure >= target : figure <= target;
  const sign = better === 'higher' ? '≥' : '≤';
  const spread = rounds.map((value) => value.toFixed(2)).join(' ');
  return `${met ? 'ok   ' : 'short'}  ${name}: ${figure.toFixed(2)} (target ${sign} ${target}; by round ${spread})`;
}
