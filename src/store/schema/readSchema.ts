/** Reads the schema files: the program's own, or those of a folder. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { listAssets, readAsset } from '../../assets/assets.ts';
import type { Baseline, SchemaFile } from './migrate.ts';

const FOLDER = 'data/schema/';
const BASELINES = 'data/baseline/';
/** Its number says which files it stands for. */
const BASELINE = /^sqlite-(\d{3})\.sql$/;

/** @returns the files in the order of their numbers */
export async function readSchema(folder?: string): Promise<SchemaFile[]> {
  if (folder === undefined) {
    const names = listAssets(FOLDER).filter(isSchema);
    return names.map((name) => ({ name, text: readAsset(FOLDER + name) }));
  }
  const names = (await readdir(folder)).filter(isSchema).sort();
  return Promise.all(names.map(async (name) => ({ name, text: await readFile(join(folder, name), 'utf8') })));
}

/** What makes a new SQLite database of the program's own schema (scripts/baseline.ts writes it). */
export function readBaseline(): Baseline | undefined {
  const name = listAssets(BASELINES).findLast((each) => BASELINE.test(each));
  if (name === undefined) return undefined;
  return { version: Number(BASELINE.exec(name)?.[1]), text: readAsset(BASELINES + name) };
}

function isSchema(name: string): boolean {
  return name.endsWith('.sql');
}
