/** What becomes of the rows of each table: kept for ever, and why, or deleted in time; and whether a reset deletes them. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RETENTION } from '../../src/store/statements/retention.ts';
import { TABLES } from '../../src/store/statements/tables.ts';
import { webhookDeliveries } from '../../src/store/statements/webhooks/deliveries.ts';
import { webhookEvents } from '../../src/store/statements/webhooks/webhookEvents.ts';

test('each table says that its rows are kept, and why, or when they go', () => {
  for (const { name, retention } of TABLES) {
    const says = 'kept' in retention ? retention.kept : 'goes' in retention ? retention.goes : retention.deletedBy;
    assert.ok(says.length > 10, `${name} says too little`);
    if ('purges' in retention) assert.ok(retention.purges.length > 0, name);
  }
});

test('housekeeping goes through every table, and through deliveries before their events', () => {
  const tables = RETENTION.map(({ table }) => table);
  assert.deepEqual(new Set(tables), new Set(TABLES));
  assert.ok(tables.indexOf(webhookDeliveries) < tables.indexOf(webhookEvents));
});

test('a table whose rows a reset deletes says whose they are', () => {
  const testData = TABLES.filter(({ isTestData }) => isTestData);
  assert.ok(testData.some(({ name }) => name === 'payments'));
  for (const { name, columns } of testData) assert.ok('tenant_id' in columns, name);
});
