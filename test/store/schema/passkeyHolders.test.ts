/** The upgrade of passkeys that were enrolled before the schema said by whom: their maker is read out of the evidence, and none is lost. */
import assert from 'node:assert/strict';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { describe, test } from 'node:test';
import { canonical } from '../../../protocol/credential/canonical.ts';
import { openStore } from '../../../src/store/openStore.ts';
import { all, run, type Script } from '../../../src/store/store.ts';
import { engines } from '../../support/engines.ts';

const LAST = '018_passkey_holders.sql';
const [LINK, KEY, USER] = [
  'enr_1',
  { kind: 'key', id: 'key_1' },
  { kind: 'user', id: 'usr_1', credentialId: 'c0', touchedAt: 'x' },
];

function* insert(table: string, row: Readonly<Record<string, string | number>>): Script<void> {
  const names = Object.keys(row);
  const marks = names.map(() => '?').join(', ');
  yield* run(`INSERT INTO ${table} (${names.join(', ')}) VALUES (${marks})`, ...Object.values(row));
}

/** What a node of before has left: three passkeys of an agent, one of a user, an open link, and a touch by the first passkey. */
function* fill(): Script<void> {
  yield* insert('tenants', { id: 't', name: 'default', created_at: 1 });
  const passkey = {
    tenant_id: 't',
    public_key: 'AA',
    counter: 0,
    transports: '',
    device_name: '"by":{"id":"no"}',
    is_synced: 0,
    created_at: 1,
  };
  for (const [id, holder_kind] of [
    ['psk_1', 'agent'],
    ['psk_2', 'agent'],
    ['psk_3', 'agent'],
    ['psk_4', 'user'],
  ] as const) {
    yield* insert('passkeys', { ...passkey, id, holder_did: 'did:x', holder_kind, credential_id: id });
  }
  const link = { tenant_id: 't', holder_did: 'did:x', holder_kind: 'agent', created_at: 1, expires_at: 2 };
  yield* insert('enrollments', { ...link, id: LINK, token_hash: 'a' });
  const touch = {
    tenant_id: 't',
    approval_id: 'apr_1',
    holder_kind: 'agent',
    holder_did: 'did:x',
    approved_by: 'did:owner',
    created_at: 1,
  };
  yield* insert('approval_touches', { ...touch, id: 'hp_1', passkey_id: 'psk_1' });
  yield* insert('approval_touches', { ...touch, id: 'hp_2', passkey_id: 'psk_2' });
  const named = { deviceName: '"by":{"id":"no"}' };
  const events: [string, object | string][] = [
    ['HP_LINK_CREATED', { enrollmentId: LINK, by: KEY }],
    ['HP_REGISTERED', { ...named, passkeyId: 'psk_1', enrollmentId: LINK, by: { kind: 'node', id: 'did:node' } }],
    ['HP_REGISTERED', { ...named, passkeyId: 'psk_2', by: USER }],
    ['HP_REGISTERED', { ...named, passkeyId: 'psk_3', by: KEY }],
    ['HP_REGISTERED', { ...named, passkeyId: 'psk_4', by: USER }],
    ['HP_REGISTERED', '{ damaged'],
  ];
  for (const [index, [event_type, data]] of events.entries()) {
    const text = typeof data === 'string' ? data : canonical(data);
    const event = {
      tenant_id: 't',
      seq: index + 1,
      id: `evt_${index}`,
      actor_did: 'did:node',
      hash_prev: '',
      hash_curr: '',
      created_at: 1,
    };
    yield* insert('evidence', { ...event, event_type, data: text });
  }
}

for (const engine of engines()) {
  describe(`passkeys of before on ${engine.name}`, () => {
    test('that links and keys enrolled are their holders’, with the maker that the evidence names', async (t) => {
      const folder = await mkdtemp(join(tmpdir(), 'countersign-schema-'));
      await cp('data/schema', folder, {
        recursive: true,
        filter: (path) => !path.endsWith('.sql') || basename(path) < LAST,
      });
      const database = await engine.open({ schemaFolder: folder });
      t.after(async () => {
        await database.drop();
        await rm(folder, { recursive: true });
      });
      await database.store.write('t', fill);
      await cp(join('data/schema', LAST), join(folder, LAST));
      const file = database.file ?? '';
      const store = await openStore({ databaseUrl: database.url, file, clock: () => 0, schemaFolder: folder });
      t.after(() => store.close());
      const rows = (sql: string) => store.read(valuesOf(sql));
      assert.deepEqual(await rows('SELECT id, made_by, user_id FROM passkeys ORDER BY id'), [
        ['psk_1', 'key key_1', null],
        ['psk_2', 'user usr_1', 'usr_1'],
        ['psk_3', 'key key_1', null],
        ['psk_4', null, null],
      ]);
      assert.deepEqual(await rows('SELECT id, made_by FROM enrollments'), [[LINK, 'key key_1']]);
      assert.deepEqual(await rows('SELECT id, approved_by, passkey_of FROM approval_touches ORDER BY id'), [
        ['hp_1', 'did:x', 'agent'],
        ['hp_2', 'did:owner', 'user'],
      ]);
    });
  });
}

function valuesOf(sql: string) {
  return function* (): Script<unknown[][]> {
    return (yield* all<Record<string, unknown>>(sql)).map((row) => Object.values(row));
  };
}
