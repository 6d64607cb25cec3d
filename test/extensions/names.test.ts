/** What extensions add to lists by name has a name of its own: of two of one name, one would be there no more. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { calls } from '../../src/core/core.ts';
import type { Extension } from '../../src/extensions/extension.ts';
import { extensions } from '../../src/extensions/list.ts';
import { table } from '../../src/operations/table.ts';

const listed: readonly Extension[] = extensions;

test('no two calls of the core, and no two operations, have one name', () => {
  const namesOf = (kernel: object, added: readonly (object | undefined)[]) =>
    [kernel, ...added].flatMap((each) => Object.keys(each ?? {}));
  const found = [
    namesOf(
      calls,
      listed.map((one) => one.calls),
    ),
    namesOf(
      table,
      listed.map((one) => one.operations),
    ),
  ];
  for (const names of found) assert.deepEqual([...new Set(names)], names);
  assert.ok(found.flat().includes('takeTaskMessage') && found.flat().includes('getTaskRecord'));
});

test('no address is a door of two extensions', () => {
  const paths = listed.flatMap(({ doors = [] }) => doors.flatMap((door) => door.paths));
  assert.deepEqual([...new Set(paths)], paths);
});
