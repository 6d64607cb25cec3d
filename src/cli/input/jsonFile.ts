/** JSON files given on the command line. */
import { readFileSync } from 'node:fs';
import { WrongUse } from '../exit.ts';

/** @param file its path, or - for standard input @throws WrongUse where there is none, or it is no JSON */
export function readJsonFile(file: string): unknown {
  const text = readText(file);
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new WrongUse(`${file} is no JSON: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function readText(file: string): string {
  try {
    return readFileSync(file === '-' ? 0 : file, 'utf8');
  } catch {
    throw new WrongUse(`${file} cannot be read.`);
  }
}
