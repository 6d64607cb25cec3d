/** docs/explanation/reliability.md: its tables are whole, and every figure and bug has its row. The values are what machines measured. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { MUTANTS } from '../simulation/mutants/mutants.ts';
import { bugOf, type Row, rowsIn, withRows } from '../simulation/mutants/table.ts';

const page = readFileSync('docs/explanation/reliability.md', 'utf8');

test('the page promises I1 to I8, before it says what was measured', () => {
  const promised = [...page.matchAll(/^\| (I\d) \| [A-Z].*\. \|$/gm)].map(([, name]) => name);
  assert.deepEqual(promised, ['I1', 'I2', 'I3', 'I4', 'I5', 'I6', 'I7', 'I8']);
  assert.ok(page.indexOf('## What is promised') < page.indexOf('<!-- figures -->'));
});

test('the marks that commands write between are there once each, in order', () => {
  const marks = ['<!-- figures -->', '<!-- end of figures -->', '<!-- mutants -->', '<!-- end of mutants -->'];
  const places = marks.map((mark) => page.indexOf(mark));
  assert.deepEqual(
    [...places].sort((one, other) => one - other),
    places,
  );
  for (const mark of marks) assert.equal(page.split(mark).length, 2, mark);
});

test('every row of the figures has what, how much and a day', () => {
  const [, table = ''] = /<!-- figures -->\n([\s\S]*?)<!-- end of figures -->/.exec(page) ?? [];
  const rows = table.trim().split('\n').slice(2);
  assert.ok(rows.length >= 10, `${rows.length} rows`);
  for (const row of rows) assert.match(row, /^\| [^|]+ \| [^|]+ \| \d{4}-\d{2}-\d{2} \|$/);
});

test('the row of a bug says by which promise it was caught, or by nothing, in the order of the bugs', () => {
  const rows = rowsIn(page);
  const known = MUTANTS.map(bugOf);
  assert.deepEqual(
    [...rows.keys()],
    known.filter((bug) => rows.has(bug)),
  );
  for (const row of rows.values()) assert.match(row, /\| (I[1-8] \| \d+ \| \d+|nothing \| {2}\| {0,1}) \| \d+ \|$/);
});

test('a run writes the rows of the bugs it tried, in their order, and leaves the others as they are', () => {
  const [first, second, third] = MUTANTS;
  assert.ok(first && second && third);
  const empty = page.replace(/(<!-- mutants -->\n)[\s\S]*?(<!-- end of mutants -->)/, '$1$2');
  const found: Row = { mutant: second, caught: 'I2', seed: 7, steps: 90, seconds: 3, sentence: 'It was.' };
  const missed: Row = {
    mutant: first,
    caught: undefined,
    seed: undefined,
    steps: undefined,
    seconds: 60,
    sentence: undefined,
  };
  const once = withRows(empty, [found]);
  assert.equal(rowsIn(once).get(bugOf(second)), `| ${bugOf(second)} | I2 | 7 | 90 | 3 |`);
  const twice = withRows(once, [missed]);
  assert.deepEqual([...rowsIn(twice).keys()], [bugOf(first), bugOf(second)]);
  assert.equal(rowsIn(twice).get(bugOf(first)), `| ${bugOf(first)} | nothing |  |  | 60 |`);
});
