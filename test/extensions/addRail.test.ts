/** What it takes to add a rail, played in a copy of the sources: a folder, and its import and its place in the list. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { after, test } from 'node:test';

const LIST = 'src/extensions/list.ts';
const FOLDER = 'src/extensions/toy-rail';
const MOST_LINES = 120;
const COPIED = [
  'agent-card.json',
  'bin',
  'client',
  'data',
  'docs',
  'package.json',
  'protocol',
  'src',
  'test',
  'tsconfig.json',
];

const copy = mkdtempSync(join(tmpdir(), 'countersign-rail-'));
after(() => rmSync(copy, { recursive: true, force: true }));

test('a rail is added by a folder and two lines of one file, and taken away with them', () => {
  for (const name of COPIED) cpSync(name, join(copy, name), { recursive: true });
  rmSync(join(copy, 'data', 'node'), { recursive: true, force: true });
  symlinkSync(resolve('node_modules'), join(copy, 'node_modules'));
  const before = readFileSync(join(copy, LIST), 'utf8');

  const toy = readFileSync('test/extensions/toy-rail/toyRail.ts', 'utf8').replaceAll("'../../../src/", "'../../");
  assert.ok(toy.split('\n').length <= MOST_LINES, 'the rail has become long');
  mkdirSync(join(copy, FOLDER));
  writeFileSync(join(copy, FOLDER, 'toyRail.ts'), toy);
  writeFileSync(join(copy, LIST), withToy(before));
  assert.equal(readFileSync(join(copy, LIST), 'utf8').split('\n').length, before.split('\n').length + 2);
  play('test/extensions/toy-rail/twoRails.ts');

  rmSync(join(copy, FOLDER), { recursive: true });
  writeFileSync(join(copy, LIST), before);
  for (const file of readdirSync('src', { recursive: true, withFileTypes: true })) {
    const path = join(file.parentPath, file.name);
    if (file.isFile()) assert.deepEqual(readFileSync(join(copy, path)), readFileSync(path), path);
  }
  play('test/extensions/without.test.ts');
});

function withToy(list: string): string {
  return list
    .replace(/^(import .*stripe\.ts';)$/m, "$1\nimport { toyRail } from './toy-rail/toyRail.ts';")
    .replace(/^\];$/m, '  toyRail,\n];');
}

/** Runs tests of the copy. */
function play(file: string): void {
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  const { status, stdout, stderr } = spawnSync(process.execPath, ['--import', 'tsx', '--test', file], {
    cwd: copy,
    env,
    encoding: 'utf8',
  });
  assert.equal(status, 0, `${stdout}\n${stderr}`);
}
