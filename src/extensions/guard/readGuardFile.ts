/** Reads the file of a guard. What is wrong is told with the line and the member, and what would be right. */
import { readFileSync, statSync } from 'node:fs';
import { parse, TomlError } from 'smol-toml';
import type { z } from 'zod';
import { GuardConfig } from './rules/guardConfig.ts';

const OTHERS_WRITE = 0o002;

/** A line for each fault. */
export class WrongGuardFile extends Error {}

/** @throws WrongGuardFile */
export function readGuardFile(file: string): GuardConfig {
  let text: string;
  let mode: number;
  try {
    ({ mode } = statSync(file));
    text = readFileSync(file, 'utf8');
  } catch (error) {
    throw new WrongGuardFile(`${file} cannot be read: ${(error as Error).message}`);
  }
  // What another user of the machine writes there decides where money goes.
  if (process.platform !== 'win32' && (mode & OTHERS_WRITE) !== 0)
    throw new WrongGuardFile(`${file}: every user of this machine may write it: chmod o-w ${file}`);
  return parseGuardText(text, file);
}

/** @param file as it is named in faults @throws WrongGuardFile */
export function parseGuardText(text: string, file: string): GuardConfig {
  let members: unknown;
  try {
    members = parse(text);
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    // Below the first line the library shows that of the file, which may hold a key.
    throw new WrongGuardFile(`${file}:${error.line}: ${error.message.split('\n')[0]}`);
  }
  const read = GuardConfig.safeParse(members);
  if (read.success) return read.data;
  throw new WrongGuardFile(read.error.issues.map((issue) => faultText(issue, text, file)).join('\n'));
}

function faultText(issue: z.core.$ZodIssue, text: string, file: string): string {
  const unknown = issue.code === 'unrecognized_keys' ? issue.keys : [undefined];
  return unknown
    .map((key) => {
      const path = key === undefined ? issue.path : [...issue.path, key];
      const message = key === undefined ? sentence(issue) : 'is no member of this table; see countersign guard --help';
      return `${file}:${lineOf(text, path)}: ${shownPath(path)} ${message}`;
    })
    .join('\n');
}

function sentence(issue: z.core.$ZodIssue): string {
  const { message } = issue.code === 'invalid_key' ? (issue.issues[0] ?? issue) : issue;
  if (issue.code === 'invalid_type' && message.includes('received undefined')) return 'is missing';
  return /^(must|is|cannot) /.test(message) ? message : `is wrong: ${message}`;
}

function shownPath(path: readonly PropertyKey[]): string {
  return path
    .map((step, index) => (typeof step === 'number' ? `[${step}]` : `${index === 0 ? '' : '.'}${String(step)}`))
    .join('');
}

/** The line of a member, or of the table that it is missing in. */
function lineOf(text: string, path: readonly PropertyKey[]): number {
  const lines = text.split(/\r?\n/);
  let from = 0;
  let found = 0;
  for (const [index, step] of path.entries()) {
    if (typeof step === 'number') continue;
    const name = escaped(String(step));
    const ordinal = path[index + 1];
    const header = new RegExp(`^\\s*\\[+\\s*${name}\\s*\\]+`);
    const member = new RegExp(`^\\s*["']?${name}["']?\\s*=`);
    const places = lines.flatMap((line, at) => (at >= from && (header.test(line) || member.test(line)) ? [at] : []));
    const place = places[header.test(lines[places[0] ?? 0] ?? '') && typeof ordinal === 'number' ? ordinal : 0];
    if (place === undefined) break;
    found = place;
    from = place + (header.test(lines[place] ?? '') ? 1 : 0);
  }
  return found + 1;
}

function escaped(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
