/** Shows the first admin key where only the node's owner sees it. */
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { replaceKeyFile } from '../../crypto/keyFile.ts';
import type { Config } from '../../node/config.ts';
import { colour } from '../output/colour.ts';

/** In the data folder. */
const FILE = 'first-admin-key';

/** Whoever has the data folder may make keys, without one. */
const ANOTHER = 'Another one, on this machine: countersign key create --name admin --permissions read,write,admin';

/**
 * In production what a service or a container prints is kept by others, in journals and log stores: the key then goes
 * into a file.
 * @param isTerminal whether standard output is one
 * @returns the lines to print
 */
export function firstKeyLines(key: string, { environment, dataDir }: Config, isTerminal: boolean): string[] {
  if (environment === 'sandbox' || isTerminal) return [`Admin API key, shown this once: ${colour.bold(key)}`, ANOTHER];
  const file = join(dataDir, FILE);
  replaceKeyFile(file, [key], (size) => randomBytes(size));
  const where = `it is in ${colour.bold(file)}, for its owner only`;
  return [`Admin API key: ${where}. Take it from there, and delete the file.`, ANOTHER];
}
