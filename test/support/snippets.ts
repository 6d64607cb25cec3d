/** What documentation shows, and TypeScript that runs against the client as the package carries it. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { chmod, readFile, symlink, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import packages from '../../scripts/packages.json' with { type: 'json' };
import { PROGRAM } from './command.ts';

const run = promisify(execFile);

/** The blocks of a page in one language, in their order. */
export function blocksOf(page: string, language: string): string[] {
  return [...page.matchAll(new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``, 'g'))].map(
    (match) => match[1] as string,
  );
}

/** Compiles TypeScript blocks strictly, and runs each. @returns what each printed */
export async function runTypeScript(
  blocks: readonly string[],
  folder: string,
  env: Readonly<Record<string, string>>,
): Promise<string[]> {
  const names = blocks.map((_, index) => `snippet${index}.ts`);
  for (const [index, name] of names.entries()) await writeFile(join(folder, name), blocks[index] ?? '');
  const strict = { module: 'NodeNext', target: 'ES2023', strict: true, skipLibCheck: true, noEmit: true };
  const types = { types: ['node'], noUncheckedIndexedAccess: true };
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions: { ...strict, ...types } }));
  await run(resolve('node_modules/.bin/tsc'), ['--project', folder]).catch((error) => assert.fail(error.stdout));
  const outputs: string[] = [];
  await build({ entryPoints: names, absWorkingDir: folder, outdir: folder, platform: 'node', logLevel: 'warning' });
  for (const name of names) {
    outputs.push((await run(process.execPath, [name.replace('.ts', '.js')], { cwd: folder, env })).stdout);
  }
  return outputs;
}

/** Puts the client into a project's folder, built as the package carries it. */
export async function installClient(project: string): Promise<void> {
  const modules = join(project, 'node_modules');
  await buildClient(join(modules, packages.client));
  await writeFile(join(project, 'package.json'), '{"type":"module"}');
  for (const name of ['ws', 'zod', '@types', 'undici-types']) {
    await symlink(resolve('node_modules', name), join(modules, name));
  }
}

/** Builds the client as its package has it. */
export async function buildClient(folder: string): Promise<void> {
  await run(process.execPath, ['scripts/client.mjs', '--build', join(folder, 'dist')]);
  await writeFile(join(folder, 'package.json'), await readFile('packages/client/package.json'));
}

/** Puts the command into a folder, to be found by its name. */
export async function installCommand(folder: string): Promise<void> {
  const file = join(folder, 'countersign');
  await writeFile(file, `#!/bin/sh\nexec "${process.execPath}" "${PROGRAM}" "$@"\n`);
  await chmod(file, 0o755);
}
