/** Loads every part of the bundle before a world begins, so that what the node loads when it first needs it is there at once. */
import { readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** @param file of the bundle, beside which its parts lie */
export async function loadAll(file: string): Promise<void> {
  const folder = dirname(file);
  for (const name of readdirSync(folder).sort()) {
    if (name.startsWith('chunk-') && name.endsWith('.js')) await import(pathToFileURL(join(folder, name)).href);
  }
}
