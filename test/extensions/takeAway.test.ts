/**
 * Each extension can be taken away: without its folder and its lines in the lists the rest compiles, the console too, and the kernel
 * buys by a rail of a toy. A run takes two of them away, by turns from day to day, and then all; TAKE_AWAY=all takes each.
 */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { after, before, test } from 'node:test';

const FOLDER = 'src/extensions';
const LIST = `${FOLDER}/list.ts`;
/** What extensions show in the console; most show nothing. */
const SCREENS = 'console/extensionScreens.ts';
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
  const lists = { [LIST]: readFileSync(LIST, 'utf8'), [SCREENS]: readFileSync(SCREENS, 'utf8') };
  let left = lists[LIST] as string;
  left = left.replace(/^(import [^;]*;\n)(?!import)/m, "$1import { toyRail } from './toy-rail/toyRail.ts';\n");
  left = left.replace(/^\] as const satisfies/m, '  toyRail,\n$&');
  let screens = lists[SCREENS] as string;
  for (const name of gone) {
    const without = withoutLines(left, `./${name}/`);
    assert.ok(without !== undefined, `${name} has no line of its own in ${LIST}`);
    left = without;
    screens = withoutLines(screens, `../${FOLDER}/${name}/`) ?? screens;
    rmSync(join(copy, FOLDER, name), { recursive: true });
  }
  writeFileSync(join(copy, LIST), left);
  writeFileSync(join(copy, SCREENS), screens);
  try {
    run(['node_modules/typescript/lib/tsc.js', '--noEmit', '-p', '.']);
    run(['node_modules/typescript/lib/tsc.js', '--noEmit', '-p', 'console']);
    run(['--import', 'tsx', '--test', 'test/extensions/kernel.ts']);
  } finally {
    for (const name of gone) cpSync(join(FOLDER, name), join(copy, FOLDER, name), { recursive: true });
    for (const [file, text] of Object.entries(lists)) writeFileSync(join(copy, file), text);
  }
}

/** A list without the import from a folder, and without what is imported; undefined where it has none. */
function withoutLines(list: string, folder: string): string | undefined {
  const from = folder.replaceAll('.', '\\.');
  const [line, exported] = new RegExp(`^import \\{ (\\w+) \\} from '${from}[^']*';\n`, 'm').exec(list) ?? [];
  return line && list.replace(line, '').replace(new RegExp(`^  ${exported},.*\n`, 'm'), '');
}

function run(words: readonly string[]): void {
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  const { status, stdout, stderr } = spawnSync(process.execPath, words, { cwd: copy, env, encoding: 'utf8' });
  assert.equal(status, 0, `${stdout}\n${stderr}`);
}
