/** A node that witnesses are switched off at: what they cosigned stands in its bundles, and none of them is asked, watched or told of until they are on again. */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { originOf } from '../../../protocol/evidence/log/checkpoint.ts';
import { cosignedBy } from '../../../protocol/evidence/log/cosignature.ts';
import {
  keyNamed,
  type NoteKey,
  readVerifierKey,
  verifierKey,
  WITNESS_KEY,
} from '../../../protocol/evidence/log/note.ts';
import { verifyBundle } from '../../../protocol/evidence/verifyBundle.ts';
import { nativeSuite } from '../../../src/crypto/nativeSuite.ts';
import { makeCheckpoint } from '../../../src/domain/checkpoints/makeCheckpoint.ts';
import { readConfig } from '../../../src/node/config/config.ts';
import { runHere } from '../../cli/runHere.ts';
import { askedAll } from '../../support/askedAll.ts';
import { everyEngine } from '../../support/engines.ts';
import { plainKey } from '../../support/plainNotes.ts';
import { plainWitness } from '../../support/plainWitness.ts';
import { mandateIdOf, purchase } from '../../support/purchase.ts';
import { type Loose, makeWorld, type World } from '../../support/world.ts';

const WITHOUT = { EXTENSIONS: 'sandbox-rail' };
const ALL = { EXTENSIONS: '' };
const suite = nativeSuite();

for (const engine of everyEngine()) {
  test(`what witnesses cosigned stands in bundles and verifies while they are off, on ${engine.name}`, async (t) => {
    const key = plainKey('w.example', 4, randomBytes(32));
    const logs = new Map<string, string[]>();
    const witness = await plainWitness(key, logs);
    t.after(() => witness.close());
    const world = await makeWorld(engine, { WITNESSES: `${key.vkey} ${witness.url}` });
    t.after(() => world.close());
    const { tenantId, deps } = world.node;
    logs.set(originOf(tenantId), [verifierKey(suite, keyNamed(deps.issuer.did))]);
    const mandateId = mandateIdOf(await purchase(world, 20));
    const { transactionId } = (await world.rest('GET', `/ap2/payments/${mandateId}`)).body;
    await makeCheckpoint(deps, tenantId);
    await askedAll(deps);
    const named = readVerifierKey(suite, key.vkey, WITNESS_KEY) as NoteKey;
    const demand = cosignedBy(suite, { witnesses: [named], quorum: 1 });
    const requireCosigned = async () => {
      const { text } = await world.rest('GET', `/ap2/evidence/bundle/${transactionId}?format=portable`);
      const checked = verifyBundle(suite, text, world.node.deps.issuer.did, { demand });
      assert.ok(checked.ok, checked.ok ? '' : `${checked.part}: ${checked.reason}`);
    };
    await requireCosigned();
    assert.deepEqual(await tracesOf(world), { check: true, gauges: true, schedule: true });

    await world.restart(WITHOUT);
    await requireCosigned();
    assert.deepEqual(await tracesOf(world), { check: false, gauges: false, schedule: false });

    await world.restart(ALL);
    await purchase(world, 21);
    await requireCosigned();
    assert.deepEqual(await tracesOf(world), { check: true, gauges: true, schedule: true });
  });
}

/** What a node shows of its witnesses. */
async function tracesOf(world: World): Promise<Readonly<Record<string, boolean>>> {
  const { checks } = (await world.rest('GET', '/ap2/admin/health')).body;
  const { metrics, operations } = world.node.deps;
  return {
    check: checks.some(({ check }: Loose) => check === 'witnesses'),
    gauges: (await metrics.expose()).text.includes('countersign_witness_'),
    schedule: operations.schedules.some(({ name }) => name === 'witnesses'),
  };
}

test('settings of what is off are not looked at, and named in one line', () => {
  const wrong = { WITNESSES: 'nonsense', WITNESS_QUORUM: '0', STRIPE_SPT: 'perhaps' };
  const config = readConfig({ ...WITHOUT, ...wrong, INTENT_TTL_SECONDS: '60' });
  assert.deepEqual(config.ignoredSettings, ['WITNESSES', 'WITNESS_QUORUM', 'STRIPE_SPT']);
  assert.deepEqual(readConfig({ INTENT_TTL_SECONDS: '60' }).ignoredSettings, []);
  assert.throws(() => readConfig(wrong), /^WITNESS_QUORUM=/m);
});

test('countersign witness says that it is off', async () => {
  const { code, stderr } = await runHere(['witness', '--log', 'a=b'], WITHOUT);
  assert.equal(code, 2);
  assert.match(stderr, /This node runs without witness: EXTENSIONS does not name it\./);
});
