/** What it takes to add a rail, and a mandate with a data part, played in a copy of the sources: a folder, and its import and its place in a list. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { after, before, test } from 'node:test';

const LIST = 'src/extensions/list.ts';
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
before(() => {
  for (const name of COPIED) cpSync(name, join(copy, name), { recursive: true });
  rmSync(join(copy, 'data', 'node'), { recursive: true, force: true });
  symlinkSync(resolve('node_modules'), join(copy, 'node_modules'));
});
after(() => rmSync(copy, { recursive: true, force: true }));

test('a rail is added by a folder and two lines of one file, and taken away with them', () => {
  const toy = readFileSync('test/extensions/toy-rail/toyRail.ts', 'utf8');
  const added = [
    add('src/extensions/toy-rail/toyRail.ts', toy.replaceAll("'../../../src/", "'../../")),
    addLines(LIST, "import { toyRail } from './toy-rail/toyRail.ts';", '  toyRail,'),
  ];
  play('test/extensions/toy-rail/twoRails.ts');
  for (const remove of added) remove();
  requireUnchanged();
  play('test/extensions/without.test.ts');
});

test('a mandate with a data part is added by its folders and two lines of each list, and taken away with them', () => {
  const part = readFileSync('test/extensions/toy-letter/letterPart.ts', 'utf8');
  const toy = readFileSync('test/extensions/toy-letter/toyLetter.ts', 'utf8');
  const added = [
    add('protocol/toy-letter/letterPart.ts', part.replaceAll("'../../../protocol/", "'../")),
    add(
      'src/extensions/toy-letter/toyLetter.ts',
      toy.replaceAll("'../../../src/", "'../../").replace("'./letterPart", "'../../../protocol/toy-letter/letterPart"),
    ),
    addLines(LIST, "import { toyLetter } from './toy-letter/toyLetter.ts';", '  toyLetter,'),
    addLines(
      'protocol/extensions.ts',
      "import { letterParts } from './toy-letter/letterPart.ts';",
      '  ...letterParts,',
    ),
  ];
  play('test/extensions/toy-letter/letters.ts');
  for (const remove of added) remove();
  requireUnchanged();
});

/** Puts a file of a toy into the copy. @returns what takes it away with its folder */
function add(file: string, text: string): () => void {
  assert.ok(text.split('\n').length <= MOST_LINES, `${file} has become long`);
  mkdirSync(dirname(join(copy, file)));
  writeFileSync(join(copy, file), text);
  return () => rmSync(dirname(join(copy, file)), { recursive: true });
}

/** Adds an import and a row to a list of the copy. @returns what takes them away */
function addLines(list: string, imports: string, row: string): () => void {
  const before = readFileSync(join(copy, list), 'utf8');
  const after = before
    .replace(/^(import [^;]*;\n)(?!import)/m, `$1${imports}\n`)
    .replace(/^\](?: as const(?: satisfies [^;]*)?)?;$/m, `${row}\n$&`);
  assert.equal(after.split('\n').length, before.split('\n').length + 2, `${list} is no list of rows`);
  writeFileSync(join(copy, list), after);
  return () => writeFileSync(join(copy, list), before);
}

/** The sources of the copy are those of the tree. */
function requireUnchanged(): void {
  for (const folder of ['src', 'protocol']) {
    for (const file of readdirSync(folder, { recursive: true, withFileTypes: true })) {
      const path = join(file.parentPath, file.name);
      if (file.isFile()) assert.deepEqual(readFileSync(join(copy, path)), readFileSync(path), path);
    }
  }
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
