/**
 * Each extension can be taken away: without its folder and its lines in the list the rest compiles, and the kernel buys by a rail of
 * a toy. A run takes two of them away, by turns from day to day, and then all; TAKE_AWAY=all takes each.
 */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { after, before, test } from 'node:test';

const FOLDER = 'src/extensions';
const LIST = `${FOLDER}/list.ts`;
const COPIED = [
  'agent-card.json',
  'bin',
  'client',
  'console',
  'data',
  'docs',
  'package.json',
  'protocol',
  'scripts',
  'src',
  'test',
  'tsconfig.json',
];
const DAY_MS = 24 * 3_600_000;

const names = readdirSync(FOLDER, { withFileTypes: true }).flatMap((each) => (each.isDirectory() ? [each.name] : []));

function namesOfToday(): readonly string[] {
  if (process.env['TAKE_AWAY'] === 'all') return names;
  const turn = Math.floor(Date.now() / DAY_MS) * 2;
  return [turn, turn + 1].map((index) => names[index % names.length] as string);
}

const copy = mkdtempSync(join(tmpdir(), 'countersign-without-'));
before(() => {
  for (const name of COPIED) cpSync(name, join(copy, name), { recursive: true });
  rmSync(join(copy, 'data', 'node'), { recursive: true, force: true });
  symlinkSync(resolve('node_modules'), join(copy, 'node_modules'));
  const toy = readFileSync('test/extensions/toy-rail/toyRail.ts', 'utf8');
  mkdirSync(join(copy, FOLDER, 'toy-rail'));
  writeFileSync(join(copy, FOLDER, 'toy-rail', 'toyRail.ts'), toy.replaceAll("'../../../src/", "'../../"));
  const settings = JSON.parse(readFileSync('tsconfig.json', 'utf8'));
  const compiled = { ...settings, include: ['protocol', 'client', 'src', 'test/extensions/kernel.ts'] };
  writeFileSync(join(copy, 'tsconfig.json'), JSON.stringify(compiled));
});
after(() => rmSync(copy, { recursive: true, force: true }));

for (const name of namesOfToday()) {
  test(`without ${name} the rest compiles, and buys`, () => takeAway([name]));
}

test('without any extension the kernel compiles, and buys by the rail of a toy', () => takeAway(names));

/** Takes folders and their lines of the list away, plays what is left, and puts them back. */
function takeAway(gone: readonly string[]): void {
  const list = readFileSync(LIST, 'utf8');
  let left = list.replace(/^(import [^;]*;\n)(?!import)/m, "$1import { toyRail } from './toy-rail/toyRail.ts';\n");
  left = left.replace(/^\] as const satisfies/m, '  toyRail,\n$&');
  for (const name of gone) {
    const [line, exported] = new RegExp(`^import \\{ (\\w+) \\} from '\\./${name}/[^']*';\n`, 'm').exec(left) ?? [];
    assert.ok(line !== undefined && exported !== undefined, `${name} has no line of its own in ${LIST}`);
    left = left.replace(line, '').replace(new RegExp(`^  ${exported},.*\n`, 'm'), '');
    rmSync(join(copy, FOLDER, name), { recursive: true });
  }
  writeFileSync(join(copy, LIST), left);
  try {
    run(['node_modules/typescript/lib/tsc.js', '--noEmit', '-p', '.']);
    run(['--import', 'tsx', '--test', 'test/extensions/kernel.ts']);
  } finally {
    for (const name of gone) cpSync(join(FOLDER, name), join(copy, FOLDER, name), { recursive: true });
    writeFileSync(join(copy, LIST), list);
  }
}

function run(words: readonly string[]): void {
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  const { status, stdout, stderr } = spawnSync(process.execPath, words, { cwd: copy, env, encoding: 'utf8' });
  assert.equal(status, 0, `${stdout}\n${stderr}`);
}
