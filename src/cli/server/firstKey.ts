/** Shows the first admin key, and the first OWNER's welcome link, where only the node's owner sees them. */
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { replaceKeyFile } from '../../crypto/keyFile.ts';
import type { Config } from '../../node/config/config.ts';
import { colour } from '../output/print.ts';

/** In the data folder. */
const KEY_FILE = 'first-admin-key';
const LINK_FILE = 'first-welcome-link';

/** A person with access to the data folder may make keys and invite people, without a key. */
const ANOTHER_KEY = 'Another one, on this machine: countersign key create --name admin --permissions read,write,admin';
const ANOTHER_LINK = 'It serves once, for 24 hours; another one, on this machine: countersign user invite --role OWNER';

/**
 * In production what a service or a container prints is kept by others, in journals and log stores: both then go into
 * files.
 * @param isTerminal whether standard output is one
 * @returns the lines to print
 */
export function firstLines(
  { key, link }: { readonly key: string | undefined; readonly link: string | undefined },
  { environment, dataDir }: Config,
  isTerminal: boolean,
): string[] {
  const isPrinted = environment === 'sandbox' || isTerminal;
  const kept = (file: string, text: string) => {
    const path = join(dataDir, file);
    replaceKeyFile(path, [text], (size) => randomBytes(size));
    return `it is in ${colour.bold(path)}, for its owner only`;
  };
  const keyLine = (given: string) =>
    isPrinted
      ? `Admin API key, shown this once: ${colour.bold(given)}`
      : `Admin API key: ${kept(KEY_FILE, given)}. Take it from there, and delete the file.`;
  const linkLine = (given: string) =>
    isPrinted
      ? `Open the console and become its OWNER: ${colour.bold(given)}`
      : `The link by which you become OWNER of the console: ${kept(LINK_FILE, given)}.`;
  const links = link === undefined ? [] : [linkLine(link), ANOTHER_LINK];
  const keys = key === undefined ? [] : [keyLine(key), ANOTHER_KEY];
  return links.length > 0 && keys.length > 0 ? [...links, '', ...keys] : [...links, ...keys];
}
