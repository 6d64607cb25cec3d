/** Files given on the command line. Every trouble with one is a sentence with its path and what to do. */
import { accessSync, closeSync, constants, openSync, readFileSync, readSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileFailure, reasonOf, WrongUse } from '../commandFailure.ts';

/** @param file its path, or - for standard input @throws WrongUse where it cannot be read */
export function readTextFile(file: string): string {
  return withFile(file, () => readFileSync(file === '-' ? 0 : file, 'utf8'));
}

/** The beginning of a file. @throws WrongUse where it cannot be read */
export function readHead(file: string, bytes: number): string {
  return withFile(file, () => {
    const opened = openSync(file, 'r');
    try {
      const head = Buffer.alloc(bytes);
      return head.toString('utf8', 0, readSync(opened, head));
    } finally {
      closeSync(opened);
    }
  });
}

/** @throws WrongUse where it cannot be read */
export function readBytes(file: string): Uint8Array {
  return withFile(file, () => new Uint8Array(readFileSync(file)));
}

/** @param file its path, or - for standard input @throws WrongUse where it cannot be read or is not JSON */
export function readJsonFile(file: string): unknown {
  const text = readTextFile(file);
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new WrongUse(`${file} is not JSON (${reasonOf(error)}); correct it, or give the path of another file.`);
  }
}

/** Writes a file for its owner only. @param flag wx where one that exists must stay @throws WrongUse */
export function writePrivateFile(file: string, content: string | Uint8Array, flag: 'w' | 'wx' = 'w'): void {
  requireFolderOf(file);
  withFile(file, () => writeFileSync(file, content, { mode: 0o600, flag }));
}

/** @throws WrongUse unless there is a file that can be read */
export function requireFile(file: string): void {
  withFile(file, () => {
    if (statSync(file).isDirectory()) throw Object.assign(new Error(), { code: 'EISDIR' });
    accessSync(file, constants.R_OK);
  });
}

/** @throws WrongUse unless the folder that a new file is to be in can be written to */
export function requireFolderOf(file: string): void {
  const folder = dirname(file);
  withFile(folder, () => {
    const status = statSync(folder, { throwIfNoEntry: false });
    if (status === undefined) throw new WrongUse(`The folder ${folder} does not exist; make it: mkdir -p ${folder}`);
    if (!status.isDirectory()) throw Object.assign(new Error(), { code: 'EEXIST', syscall: 'mkdir' });
    accessSync(folder, constants.W_OK);
  });
}

function withFile<Result>(file: string, act: () => Result): Result {
  try {
    return act();
  } catch (error) {
    throw error instanceof WrongUse ? error : fileFailure(error, file);
  }
}
