/** What becomes of the rows of each table: kept for ever, and why, or deleted in time. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RETENTION } from '../../src/store/statements/retention.ts';
import { TABLES } from '../../src/store/statements/tables.ts';

test('each table says that its rows are kept, and why, or when they go', () => {
  const named = (tables: readonly { readonly name: string }[]) => tables.map(({ name }) => name).sort();
  assert.deepEqual(named(RETENTION.map(({ table }) => table)), named(TABLES));
  for (const retention of RETENTION) {
    const says = 'kept' in retention ? retention.kept : 'goes' in retention ? retention.goes : retention.deletedBy;
    assert.ok(says.length > 10, `${retention.table.name} says too little`);
    if ('purges' in retention) assert.ok(retention.purges.length > 0, retention.table.name);
  }
});
