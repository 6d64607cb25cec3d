/** Reads the schema files: the program's own, or those of a folder. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { listAssets, readAsset } from '../../assets/assets.ts';
import type { SchemaFile } from './migrate.ts';

const FOLDER = 'data/schema/';

/** @returns the files in the order of their numbers */
export async function readSchema(folder?: string): Promise<SchemaFile[]> {
  if (folder === undefined) {
    const names = listAssets(FOLDER).filter(isSchema);
    return names.map((name) => ({ name, text: readAsset(FOLDER + name) }));
  }
  const names = (await readdir(folder)).filter(isSchema).sort();
  return Promise.all(names.map(async (name) => ({ name, text: await readFile(join(folder, name), 'utf8') })));
}

function isSchema(name: string): boolean {
  return name.endsWith('.sql');
}
