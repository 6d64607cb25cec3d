/** What holds for every example: short, of public packages alone, without a secret, and compiled strictly. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { buildClient } from '../support/snippets.ts';

const EXAMPLES = (await readdir('examples', { withFileTypes: true })).filter((entry) => entry.isDirectory());
const FILES: readonly string[] = (await Promise.all(EXAMPLES.map(({ name }) => readdir(join('examples', name)))))
  .flatMap((files, at) => files.map((file) => join('examples', EXAMPLES[at]?.name ?? '', file)))
  .filter((file) => /\.(ts|mjs|py|json|md|txt)$/.test(file));
const MOST_LINES = 40;
/** What npm, pip and the languages themselves have. */
const PUBLIC =
  /^(node:\w+.*|countersign-client|@modelcontextprotocol\/client(\/stdio)?|countersign_client|httpx|json|langchain_core|openai|os|sys|time|http)$/;

/** The modules that a program imports, by the first part of their names in Python. */
function importsOf(file: string, text: string): string[] {
  const imported = file.endsWith('.py') ? /^(?:from|import) (\w+)/gm : /^(?:import|export)\b[^;]*? from '([^']+)'/gm;
  return [...text.matchAll(imported)].map((match) => match[1] as string);
}

test('each example has a short README, and imports what its users can install', async () => {
  assert.ok(EXAMPLES.length > 0);
  for (const { name } of EXAMPLES) {
    const readme = await readFile(join('examples', name, 'README.md'), 'utf8');
    assert.ok(
      readme.trimEnd().split('\n').length <= MOST_LINES,
      `${name}: the README has more than ${MOST_LINES} lines`,
    );
  }
  for (const file of FILES) {
    const text = await readFile(file, 'utf8');
    // The placeholder of the documentation is no key.
    assert.doesNotMatch(text.replaceAll('ak_test_your_key_here', ''), /\bak_(test|live)_\w{8}|whsec_\w{8}/, file);
    for (const name of importsOf(file, text)) assert.match(name, PUBLIC, `${file}: ${name}`);
  }
});

test('each example in TypeScript compiles strictly against the client’s package', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'countersign-examples-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  await buildClient(join(folder, 'node_modules', 'countersign-client'));
  for (const name of ['@types', '@modelcontextprotocol', 'undici-types', 'ws', 'zod']) {
    await symlink(resolve('node_modules', name), join(folder, 'node_modules', name));
  }
  const sources = FILES.filter((file) => file.endsWith('.ts'));
  assert.ok(sources.length > 0);
  for (const file of sources) {
    await mkdir(join(folder, file, '..'), { recursive: true });
    await cp(file, join(folder, file));
  }
  const strict = { module: 'NodeNext', target: 'ES2023', strict: true, skipLibCheck: true, noEmit: true };
  const compilerOptions = { ...strict, types: ['node'], noUncheckedIndexedAccess: true };
  await writeFile(join(folder, 'package.json'), '{"type":"module"}');
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['examples'] }));
  const compiled = promisify(execFile)(resolve('node_modules/.bin/tsc'), ['--project', folder]);
  await compiled.catch((error) => assert.fail(error.stdout));
});
