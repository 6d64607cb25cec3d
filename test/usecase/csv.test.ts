/** No cell of a CSV is run as a formula, however a program for tables separates cells. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { csvLine } from '../../src/usecase/list/csv.ts';

test('a cell that begins a formula, by any sign and after any separator, is marked as text', () => {
  for (const [cell, written] of [
    ['=1+1', "'=1+1"],
    ['  =1+1', "'  =1+1"],
    ['tea;=1+1', "tea;'=1+1"],
    ['tea; @x', "tea;' @x"],
    ['＝1+1', "'＝1+1"],
    ['＋1', "'＋1"],
    ['tea\n-1', `"tea\n'-1"`],
    ['tea\t=1', "tea\t'=1"],
    ['\ttea', "'\ttea"],
    ['a = b; c', 'a = b; c'],
    ['shop-a.example', 'shop-a.example'],
    ['say "no"', '"say ""no"""'],
  ] as const) {
    assert.equal(csvLine([cell]), `${written}\r\n`, cell);
  }
  assert.equal(csvLine([-5, undefined, true]), '-5,,true\r\n');
});
