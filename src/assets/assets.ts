/** The files this program carries besides its code: in its package's folder, or inside the single binary. */
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { getAsset, getRawAsset, isSea } from 'node:sea';

/** The name under which the binary keeps the list of what it carries. */
const LIST = 'assets.json';

/** Whether this is the single binary. */
export const isBinary: boolean = isSea();

/**
 * Reads a text.
 * @param name its path from the root of the package, such as `data/sandbox-policy.json`
 * @throws Error when there is no such file
 */
export function readAsset(name: string): string {
  return isBinary ? getAsset(name, 'utf8') : readFileSync(placeOf(name), 'utf8');
}

/**
 * Reads a text of a library that this program depends on, wherever the library was installed.
 * @param path from the root of the library's package
 */
export function readLibraryAsset(library: string, path: string): string {
  if (isBinary) return getAsset(`node_modules/${library}/${path}`, 'utf8');
  const main = createRequire(import.meta.url).resolve(library);
  const folder = join('node_modules', library);
  const root = main.slice(0, main.lastIndexOf(folder) + folder.length);
  return readFileSync(join(root, path), 'utf8');
}

/** Reads a file that is no text; not to be written to. @param name its path from the root of the package */
export function readAssetBytes(name: string): Uint8Array {
  return isBinary ? readBinaryAsset(name) : readFileSync(placeOf(name));
}

export function readJsonAsset(name: string): object {
  return JSON.parse(readAsset(name));
}

/** The bytes of a file that only the binary carries; not to be written to. */
export function readBinaryAsset(name: string): Uint8Array {
  return new Uint8Array(getRawAsset(name) as ArrayBuffer);
}

/** The names of the files in a folder, sorted. @param folder its path from the root of the package, `/` at the end */
export function listAssets(folder: string): string[] {
  const names = isBinary ? carriedIn(folder) : readdirSync(placeOf(folder));
  return names.filter((name) => !name.includes('/')).sort();
}

function carriedIn(folder: string): string[] {
  const all = JSON.parse(getAsset(LIST, 'utf8')) as string[];
  return all.filter((name) => name.startsWith(folder)).map((name) => name.slice(folder.length));
}

/** Where a file lies that this program carries, unless it is the single binary. @param name its path from the root of the package */
export function placeOf(name: string): URL {
  return new URL(`../../${name}`, import.meta.url);
}
