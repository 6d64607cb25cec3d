/** A page of the documentation, played as a reader would: from its first block to its last, in one shell and one folder. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

export interface Block {
  /** The line of the page on which it begins, from 1. */
  readonly line: number;
  readonly language: string;
  readonly text: string;
  /** Under which name the paragraph before it says to save it. */
  readonly file?: string;
}

/** How a block runs that the page gives no name; a named one is run by the page's own commands. */
const PROGRAMS: Readonly<Record<string, { readonly extension: string; readonly command: string }>> = {
  ts: { extension: 'mts', command: 'npx tsx' },
  js: { extension: 'mjs', command: 'node' },
  python: { extension: 'py', command: 'python3' },
};

/** The languages whose blocks are run. */
export const RUNNABLE: readonly string[] = ['sh', ...Object.keys(PROGRAMS)];

/** All fenced blocks of a page, in their order. @param path from the checkout's root */
export async function blocksOfPage(path: string): Promise<Block[]> {
  const page = await readFile(path, 'utf8');
  return [...page.matchAll(/^( *)```(\w*)\n([\s\S]*?)^ *```$/gm)].map(({ index, 1: indent, 2: language, 3: text }) => {
    const before = page.slice(0, index);
    const paragraph = before.trimEnd().split('\n\n').at(-1) ?? '';
    const file = /\b[Ss]ave[^`]* as\s+`([\w-]+\.\w+)`/.exec(paragraph)?.[1];
    return {
      line: before.split('\n').length,
      language: language ?? '',
      text: (text ?? '').replaceAll(new RegExp(`^${indent}`, 'gm'), ''),
      ...(file === undefined ? {} : { file }),
    };
  });
}

export interface Reader {
  readonly folder: string;
  /** What the reader's shell has before the page begins. */
  readonly env: Readonly<Record<string, string>>;
  /** What the reader puts in place of the values that the page exports as examples. */
  readonly fillIns: Readonly<Record<string, string>>;
  /** The node's own address, for the one that programs on the page name. */
  readonly address: string;
}

/**
 * Saves what the page says to save, and runs everything else that runs, in one shell that ends at the first failure.
 * @returns what was printed, of all blocks
 */
export async function playPage(path: string, blocks: readonly Block[], reader: Reader): Promise<string> {
  // What a page starts in the background ends with the page, also where a command of it fails.
  const commands = [`trap 'kill $(jobs -p) 2>/dev/null || true' EXIT`];
  for (const [at, block] of blocks.entries()) {
    const local = block.text.replaceAll('http://localhost:8402', reader.address);
    const program = PROGRAMS[block.language];
    const file = block.file ?? (program && `block${at}.${program.extension}`);
    if (file !== undefined) await writeFile(join(reader.folder, file), local);
    if (block.file !== undefined || (program === undefined && block.language !== 'sh')) continue;
    commands.push(`printf '\\n${path}:${block.line}\\n' >&2`);
    commands.push(program ? `${program.command} ${file}` : filledIn(local, reader.fillIns));
  }
  const { folder: cwd, env } = reader;
  return promisify(execFile)('bash', ['-euo', 'pipefail', '-c', commands.join('\n')], { cwd, env }).then(
    ({ stdout }) => stdout,
    ({ stdout, stderr }) => assert.fail(`${stdout}\n${stderr}`),
  );
}

/** Puts the reader's own values where the page exports examples; an example that has no such value is a fault. */
function filledIn(text: string, fillIns: Reader['fillIns']): string {
  return text.replaceAll(/^export (.*)$/gm, (line, assignments: string) => {
    if (assignments.includes('$(')) return line;
    const names = assignments.split(' ').map((assignment) => assignment.split('=')[0] ?? '');
    return `export ${names.map((name) => `${name}='${fillIns[name] ?? assert.fail(`no value for ${line}`)}'`).join(' ')}`;
  });
}
