/** Objects without the members that are undefined. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compact } from '../../../protocol/wire/compact.ts';

test('members that are undefined are left out, everything else stays in its order', () => {
  const made = compact({ z: 1, gone: undefined, none: null, empty: '', zero: 0, no: false, a: [undefined] });
  assert.deepEqual(made, { z: 1, none: null, empty: '', zero: 0, no: false, a: [undefined] });
  assert.deepEqual(Object.keys(made), ['z', 'none', 'empty', 'zero', 'no', 'a']);
});

test('the object that was given stays as it was', () => {
  const given = { a: 1, b: undefined };
  compact(given);
  assert.deepEqual(Object.keys(given), ['a', 'b']);
});

test('its type is that of an object with optional members', () => {
  const city: string | undefined = [...'x'].at(1);
  const nick: string | null | undefined = [...'x'].at(1) ?? null;
  const person: { readonly name: string; readonly city?: string; readonly nick?: string | null } = compact({
    name: 'Ada',
    city,
    nick,
  });
  assert.deepEqual(person, { name: 'Ada', nick: null });
});
