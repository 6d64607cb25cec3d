// What Node is told when a node starts: `npm start` says it, and the binary and measurements do as it does.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * The options before the program. New objects get 16 MiB in each half of their space: from Node 22 on V8 would take up to 64,
 * and a node under load 100 MiB more, twice that with a gate in a thread of its own, and be no faster.
 * @param root of the package @returns such as `--max-semi-space-size=16`
 */
export function startOptions(root) {
  const { start } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).scripts;
  const options = /node ((?:--\S+ )*)bin\/countersign\.js serve/.exec(start)?.[1];
  if (options === undefined) throw new Error(`"start" in package.json does not start a node: ${start}`);
  return options.split(' ').filter((option) => option !== '');
}
