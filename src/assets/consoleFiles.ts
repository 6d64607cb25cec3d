/** The console as it was built: beside the program's bundle, or inside the single binary. */
import { readdirSync, readFileSync } from 'node:fs';
import { isBinary, listAssets, readAsset } from './assets.ts';

/** The file of the program in a bundle, which the bundle itself says; there is none in the sources. */
declare const bundledProgram: string | undefined;

/** Beside the bundle, and among the assets. */
const FOLDER = 'console/';

/** @returns texts by name; undefined where the program runs from its sources, for which no console is built */
export function readConsoleFiles(): ReadonlyMap<string, string> | undefined {
  if (isBinary) return textsOf(listAssets(FOLDER), (name) => readAsset(FOLDER + name));
  if (typeof bundledProgram === 'undefined') return undefined;
  const folder = new URL(FOLDER, bundledProgram);
  return textsOf(readdirSync(folder), (name) => readFileSync(new URL(name, folder), 'utf8'));
}

function textsOf(names: readonly string[], read: (name: string) => string): ReadonlyMap<string, string> {
  return new Map(names.map((name) => [name, read(name)]));
}
