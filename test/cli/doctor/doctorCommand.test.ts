/** The doctor on set-ups that are broken on purpose: each fault named with its remedy, and nothing else found. */
import assert from 'node:assert/strict';
import { chmod, cp, mkdtemp, open, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, type TestContext, test } from 'node:test';
import { countersign } from '../../../client/index.ts';
import { checkPasskeys } from '../../../src/cli/doctor/environment.ts';
import { examine } from '../../../src/cli/doctor/examine.ts';
import { judgeSpace } from '../../../src/domain/checks/diskSpace.ts';
import { readConfig } from '../../../src/node/config/config.ts';
import { type Node, startNode } from '../../../src/node/startNode.ts';
import { openSqlite } from '../../../src/store/sqlite/sqliteStore.ts';
import { run } from '../../../src/store/store.ts';
import { freePort } from '../../support/child.ts';
import { engines } from '../../support/engines.ts';
import { insertAll } from '../../support/fillPurchases.ts';
import { runHere } from '../runHere.ts';

const KEY = `ak_test_${'D'.repeat(32)}`;
const MINUTE_MS = 60_000;
type Env = Record<string, string>;

describe('the doctor', () => {
  let healthy: string;
  before(async () => {
    healthy = await mkdtemp(join(tmpdir(), 'countersign-doctor-'));
    const node = await startNode(readConfig({ DATA_DIR: healthy, PORT: '0', LOG_LEVEL: 'silent' }));
    await node.stop();
  });
  after(() => rm(healthy, { recursive: true, force: true }));

  /** A copy of the healthy folder, to be broken. */
  async function folder(t: TestContext): Promise<string> {
    const copy = await mkdtemp(join(tmpdir(), 'countersign-broken-'));
    t.after(() => rm(copy, { recursive: true, force: true }));
    await cp(healthy, copy, { recursive: true });
    return copy;
  }

  /** Breaks the database by statements. */
  async function inDatabase(dataDir: string, sql: string, ...args: (string | number)[]): Promise<void> {
    const store = openSqlite(join(dataDir, 'countersign.db'), Date.now);
    await store.write('t', () => run(sql, ...args));
    await store.close();
  }

  /** @param url of a running node; nothing listens at the port of the folder's, unless the test says otherwise */
  async function faults(env: Env, url?: string) {
    const findings = await examine({ PORT: '1', ...env }, url, Date.now);
    return findings.filter(({ level }) => level === 'fault');
  }

  async function names(env: Env, check: string, message: RegExp, remedy: RegExp, url?: string): Promise<void> {
    const found = await faults(env, url);
    assert.deepEqual(
      found.map((finding) => finding.check),
      [check],
      JSON.stringify(found),
    );
    assert.match(found[0]?.message ?? '', message);
    assert.match(found[0]?.remedy ?? '', remedy);
  }

  async function listening(t: TestContext, answer: Parameters<typeof createServer>[1]): Promise<string> {
    const server: Server = createServer(answer as never);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    t.after(() => server.close());
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  test('finds nothing wrong with a node that is well', async () => {
    assert.deepEqual(await faults({ DATA_DIR: healthy }), []);
  });

  test('an empty folder is not all well: it may be the wrong one', async () => {
    const remedy = /countersign serve; or name the one that is meant by DATA_DIR, or COUNTERSIGN_URL/;
    await names({ DATA_DIR: join(healthy, 'none') }, 'database', /No node was started on .*none yet/, remedy);
  });

  describe('of a running node', () => {
    let node: Node;
    let other: string;
    before(async () => {
      other = await mkdtemp(join(tmpdir(), 'countersign-doctor-other-'));
      node = await startNode(readConfig({ DATA_DIR: other, PORT: '0', LOG_LEVEL: 'silent', BOOTSTRAP_API_KEY: KEY }));
    });
    after(async () => {
      await node.stop();
      await rm(other, { recursive: true, force: true });
    });
    const checks = async (env: Env, url = node.address) =>
      (await examine(env, url, Date.now)).map(({ check, level }) => `${check} ${level}`);

    test('looks at that one, and not at the folder that is here', async () => {
      const outside = ['configuration ok', 'node ok', 'passkeys ok'];
      for (const dataDir of [healthy, join(healthy, 'none')]) {
        assert.deepEqual(await checks({ DATA_DIR: dataDir }), [...outside, 'clock ok']);
        const keyed = { DATA_DIR: dataDir, COUNTERSIGN_API_KEY: KEY };
        assert.deepEqual(await checks(keyed), [...outside, 'policy ok', 'evidence ok', 'lists ok', 'clock ok']);
      }
      const wrongKey = { DATA_DIR: healthy, COUNTERSIGN_API_KEY: `ak_test_${'x'.repeat(32)}` };
      const unseen = await checks(wrongKey);
      assert.ok(unseen.includes('evidence warning') && unseen.includes('policy warning'), unseen.join());
    });

    test('says that its policy allows nothing, from outside and from its folder', async () => {
      const client = countersign({ baseUrl: node.address, credential: { apiKey: KEY } });
      const { id } = await client.currentPolicy();
      const keyed = { DATA_DIR: join(healthy, 'none'), COUNTERSIGN_API_KEY: KEY };
      await client.updatePolicy({ id, rules: { version: '2.0', spend: { amount_cap: 0 } } });
      const findings = await examine(keyed, node.address, Date.now);
      const policy = findings.find(({ check }) => check === 'policy');
      assert.equal(policy?.level, 'warning');
      assert.match(policy?.message ?? '', /The policy "Sandbox default" allows nothing/);
      assert.match(policy?.remedy ?? '', /countersign policy apply FILE/);
      assert.ok((await checks({ DATA_DIR: other })).includes('policy warning'));
      // What takes the person is not nothing.
      await client.updatePolicy({ id, rules: { version: '2.0', spend: { amount_cap: 0, presence_cap: 50 } } });
      assert.ok((await checks(keyed)).includes('policy ok'));
    });

    test('looks at its folder too, where that is here', async () => {
      const all = await checks({ DATA_DIR: other }, `${node.address}/`);
      for (const check of ['node ok', 'data folder ok', 'issuer ok', 'evidence ok', 'moved ok']) {
        assert.ok(all.includes(check), `${check}: ${all.join()}`);
      }
      assert.equal(all.filter((check) => check.startsWith('passkeys')).length, 1);
    });

    test('says that no node answers, or that the address is invalid', async () => {
      const url = `http://127.0.0.1:${await freePort()}`;
      const nothing = new RegExp(`No node answers at ${url}: .*ECONNREFUSED`);
      await names({ DATA_DIR: join(healthy, 'none') }, 'node', nothing, /COUNTERSIGN_URL/, url);
      await names({ DATA_DIR: healthy }, 'node', /"localhost" is not an address/, /COUNTERSIGN_URL/, 'localhost');
    });
  });

  test('names every variable that is not valid', async () => {
    const found = await faults({ DATA_DIR: healthy, PORT: '99999', AP2_ENV: 'live' });
    assert.deepEqual(
      found.map(({ message }) => message.split('=')[0]),
      ['AP2_ENV', 'PORT'],
    );
    for (const { remedy } of found) assert.match(remedy ?? '', /countersign config check/);
  });

  test('a data folder that others may read is to be closed', async (t) => {
    const dataDir = await folder(t);
    await chmod(dataDir, 0o755);
    await names({ DATA_DIR: dataDir }, 'data folder', /open to others \(mode 755\)/, /^chmod 700 /);
  });

  test('a key that others may read is to be closed', async (t) => {
    const dataDir = await folder(t);
    await chmod(join(dataDir, 'issuer.key'), 0o644);
    await names({ DATA_DIR: dataDir }, 'issuer key', /open to others/, /^chmod 600 .*issuer\.key/);
  });

  test('a key that is gone is to be put back, and not made anew', async (t) => {
    const dataDir = await folder(t);
    await rm(join(dataDir, 'issuer.key'));
    await names({ DATA_DIR: dataDir }, 'issuer key', /is missing, and the database belongs/, /countersign restore/);
  });

  test('a key of another issuer is told from that of the database', async (t) => {
    const dataDir = await folder(t);
    await writeFile(join(dataDir, 'issuer.key'), `${Buffer.alloc(32, 7).toString('base64url')}\n`);
    await names({ DATA_DIR: dataDir }, 'issuer', /belongs to did:key:.* is the key of did:key:/, /ISSUER_KEY_FILE/);
  });

  test('a database with a damaged page is to be restored', async (t) => {
    const dataDir = await folder(t);
    const file = await open(join(dataDir, 'countersign.db'), 'r+');
    await file.write(Buffer.alloc(8192 * 3, 0x55), 0, 8192 * 3, 8192 * 2);
    await file.close();
    await names({ DATA_DIR: dataDir }, 'database', /is damaged: /, /^countersign restore FILE --data-dir /);
  });

  test('a database of a newer program needs that program', async (t) => {
    const dataDir = await folder(t);
    const sql = "INSERT INTO schema_migrations (version, name, hash, applied_at) VALUES (900, '900_x.sql', '', 0)";
    await inDatabase(dataDir, sql);
    await names({ DATA_DIR: dataDir }, 'schema', /schema version 900, this program knows versions up to/, /newer/);
  });

  test('an event that was changed breaks the chain at its place', async (t) => {
    const dataDir = await folder(t);
    await inDatabase(dataDir, "UPDATE evidence SET data = '{}' WHERE seq = 2");
    await names({ DATA_DIR: dataDir }, 'evidence', /broken at event 2: the content/, /countersign backup broken\.tar/);
  });

  test('an address without https cannot serve passkeys', async () => {
    const env = { DATA_DIR: healthy, BASE_URL: 'http://pay.example' };
    await names(env, 'passkeys', /is not https/, /BASE_URL=https:/);
  });

  test('an address of this machine alone serves no phone in production', () => {
    const { level, message } = checkPasskeys(readConfig({ AP2_ENV: 'production' }));
    assert.equal(level, 'warning');
    assert.match(message, /on this machine alone/);
    assert.equal(checkPasskeys(readConfig({ AP2_ENV: 'production', BASE_URL: 'https://pay.example' })).level, 'ok');
  });

  test('an event from the future tells of a clock that was set back', async (t) => {
    const dataDir = await folder(t);
    await inDatabase(dataDir, 'UPDATE evidence SET created_at = ? WHERE seq = 2', Date.now() + 10 * MINUTE_MS);
    const found = await faults({ DATA_DIR: dataDir });
    const clock = found.find(({ check }) => check === 'clock');
    assert.match(clock?.message ?? '', /newest event is \d+ s ahead/);
    assert.match(clock?.remedy ?? '', /timedatectl set-ntp true/);
  });

  test('a clock apart from that of the running node is told by its answers', async (t) => {
    const url = await listening(t, (_request, response) => {
      response.sendDate = false;
      response.setHeader('Date', new Date(Date.now() - 5 * MINUTE_MS).toUTCString()).end();
    });
    const env = { DATA_DIR: healthy, PORT: new URL(url).port };
    await names(env, 'clock', /are 300 s apart|are 29\d s apart|are 30\d s apart/, /timedatectl/);
  });

  const stripe = { STRIPE_SECRET_KEY: 'sk_test_abcdefgh', STRIPE_WEBHOOK_SECRET: 'whsec_abcdefghijkl' };

  test('a rail that does not answer is named with its address', async () => {
    const base = `http://127.0.0.1:${await freePort()}`;
    const env = { DATA_DIR: healthy, ...stripe, STRIPE_API_BASE: base };
    await names(env, 'rail', /does not answer: .*ECONNREFUSED/, new RegExp(`curl -sS ${base}`));
  });

  test('a rail that refuses the key needs another key, and the key is not shown', async (t) => {
    const base = await listening(t, (_request, response) => response.writeHead(401).end('{}'));
    const env = { DATA_DIR: healthy, ...stripe, STRIPE_API_BASE: base };
    await names(env, 'rail', /refuses the key/, /STRIPE_SECRET_KEY/);
    assert.doesNotMatch(JSON.stringify(await faults(env)), /sk_test_abcdefgh/);
  });

  test('a payment that waits for its rail is named', async (t) => {
    const dataDir = await folder(t);
    const sql = `INSERT INTO rail_attempts (attempt_key, tenant_id, payment_id, operation, parameters, state, tries,
      node_id, next_at, created_at) VALUES ('a', 't', 'pm_stuck', 'authorize', '{}', 'OPEN', 9, 'n', 0, ?)`;
    await inDatabase(dataDir, sql, Date.now() - 40 * MINUTE_MS);
    const message = /1 payment is without an answer.*authorize of pm_stuck waits for 40 minutes, after 9 tries/;
    await names({ DATA_DIR: dataDir }, 'payments', message, /countersign payment show pm_stuck/);
  });

  test('a payment that needs a person is named, with the reason', async (t) => {
    const dataDir = await folder(t);
    const sql = `INSERT INTO payments (tenant_id, mandate_id, transaction_id, intent_id, agent_did, principal_did, status,
      amount_minor, captured_minor, refunded_minor, currency, merchant, rail, credential, created_at, attention,
      attention_at) VALUES ('t', 'pm_odd', 'x', 'i', 'a', 'a', 'CAPTURED', 1, 1, 0, 'USD', 's', 'CARD_RAIL', '{}', 0,
      'The rail does not know this payment.', ?)`;
    await inDatabase(dataDir, sql, Date.now());
    const message = /1 payment is undecided; pm_odd: The rail does not know this payment\./;
    await names({ DATA_DIR: dataDir }, 'payments', message, /countersign payment show pm_odd/);
  });

  for (const [state, message, remedy] of [
    ['HELD', /1 delivery is held, as wh_1 is paused/, /countersign webhook resume wh_1/],
    ['PENDING', /1 delivery is due and not posted/, /countersign serve/],
  ] as const) {
    test(`a delivery that is ${state} and goes nowhere is named`, async (t) => {
      const dataDir = await folder(t);
      const store = openSqlite(join(dataDir, 'countersign.db'), Date.now);
      const delivery = { tenant_id: 't', webhook_id: 'wh_1', event_id: 'evt_1', event_type: 'x', created_at: 0 };
      const row = { ...delivery, id: 'd1', state, attempts: 1, max_attempts: 6, next_at: 1, leased_by: null };
      await store.write('t', () => insertAll('webhook_deliveries', [row]));
      await store.close();
      await names({ DATA_DIR: dataDir }, 'deliveries', message, remedy);
    });
  }

  test('a PostgreSQL that does not answer is named, its password is not', async () => {
    const env = { DATA_DIR: healthy, DATABASE_URL: `postgres://u:secret@127.0.0.1:${await freePort()}/db` };
    await names(env, 'database', /ECONNREFUSED/, /psql "\$DATABASE_URL"/);
    assert.doesNotMatch(JSON.stringify(await faults(env)), /secret/);
  });

  test('a replica that long reads do not go to is a warning, with the reason', async (t) => {
    const postgres = engines().find(({ name }) => name === 'postgres') ?? assert.fail();
    const database = await postgres.open();
    t.after(() => database.drop());
    const url = String(database.url);
    const gone = `postgres://u:secret@127.0.0.1:${await freePort()}/db`;
    for (const [replica, message] of [
      [url, /not to the replica: it is no replica of this database/],
      [gone, /not to the replica: .*ECONNREFUSED/],
    ] as const) {
      const env = { DATA_DIR: healthy, DATABASE_URL: url, DATABASE_REPLICA_URL: replica, PORT: '1' };
      const found = (await examine(env, undefined, Date.now)).find(({ check }) => check === 'replica');
      assert.equal(found?.level, 'warning');
      assert.match(String(found?.message), message);
      assert.match(String(found?.remedy), /DATABASE_REPLICA_URL/);
      assert.doesNotMatch(JSON.stringify(found), /secret/);
    }
  });

  test('a disk that is all but full is a fault, one that fills up a warning', () => {
    assert.equal(judgeSpace(50 * 2 ** 20, '/data').level, 'fault');
    assert.match(judgeSpace(50 * 2 ** 20, '/data').remedy ?? '', /du -xh \/data/);
    assert.equal(judgeSpace(500 * 2 ** 20, '/data').level, 'warning');
    assert.equal(judgeSpace(5000 * 2 ** 20, '/data').level, 'ok');
  });

  test('production without a rail is told before the first payment is refused', async () => {
    const env = { DATA_DIR: join(healthy, 'none'), AP2_ENV: 'production' };
    const rail = (await faults(env)).find(({ check }) => check === 'rail');
    assert.match(rail?.message ?? '', /RAIL_UNAVAILABLE/);
    assert.match(rail?.remedy ?? '', /STRIPE_SECRET_KEY/);
  });

  test('the command exits with 0 when all is well and with 1 when not, and answers in JSON', async (t) => {
    const dataDir = await folder(t);
    const command = (...words: string[]) => runHere(['doctor', ...words], { DATA_DIR: dataDir, PORT: '1' });
    const well = await command();
    assert.equal(well.code, 0, well.stdout);
    assert.match(well.stdout, /✓ evidence/);
    await chmod(dataDir, 0o755);
    const failed = await command('--json');
    assert.equal(failed.code, 1);
    assert.equal(failed.json().healthy, false);
  });
});
