/** A node and its witnesses: checkpoints are cosigned, strangers can ask for it, and what is missing is told and blocks nothing. */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { originOf } from '../../../protocol/evidence/log/checkpoint.ts';
import { cosignedBy } from '../../../protocol/evidence/log/cosignature.ts';
import { keyNamed, LOG_KEY, readVerifierKey, verifierKey, WITNESS_KEY } from '../../../protocol/evidence/log/note.ts';
import { verifyBundle } from '../../../protocol/evidence/verifyBundle.ts';
import { verifyExport } from '../../../protocol/evidence/verifyExport.ts';
import { nativeSuite } from '../../../src/crypto/nativeSuite.ts';
import { makeCheckpoint } from '../../../src/domain/checkpoints/makeCheckpoint.ts';
import { openWitness } from '../../../src/extensions/witness/serving/openWitness.ts';
import { serveWitness } from '../../../src/extensions/witness/serving/serveWitness.ts';
import { listChainWitnesses } from '../../../src/store/statements/evidence/cosignatures.ts';
import { run } from '../../../src/store/store.ts';
import { askedAll } from '../../support/askedAll.ts';
import { everyEngine } from '../../support/engines.ts';
import { isSignedPlainly, plainCosignature, plainKey } from '../../support/plainNotes.ts';
import { type PlainWitness, plainWitness } from '../../support/plainWitness.ts';
import { mandateIdOf, purchase } from '../../support/purchase.ts';
import { until } from '../../support/until.ts';
import { type Loose, makeWorld, type World } from '../../support/world.ts';

const suite = nativeSuite();
const MINUTE_MS = 60_000;

for (const engine of everyEngine()) {
  describe(`witnesses on ${engine.name}`, () => {
    let world: World;
    let folder: string;
    let plain: PlainWitness;
    let own: { key: string; url: string; close: () => Promise<void> };
    const others = plainKey('plain.example/w', 4, randomBytes(32));
    /** The logs of both witnesses, filled once the node has a key. */
    const logs = new Map<string, string[]>();

    before(async () => {
      folder = await mkdtemp(join(tmpdir(), 'countersign-witnesses-'));
      plain = await plainWitness(others, logs);
      const watched = new Map<string, ReturnType<typeof keyNamed>[]>();
      const witness = openWitness({
        suite,
        folder,
        name: 'own.example/w',
        logs: { get: (origin: string) => watched.get(origin), keys: () => watched.keys() } as typeof watched,
        randomBytes,
        clock: Date.now,
      });
      const quiet = () => {};
      const served = await serveWitness(witness, {
        host: '127.0.0.1',
        port: 0,
        clock: Date.now,
        log: { info: quiet, error: quiet },
      });
      const close = () => served.stop().then(() => witness.close());
      own = { key: witness.verifierKey, url: served.address, close };
      const WITNESSES = `${own.key} ${own.url}, ${others.vkey} ${plain.url}/`;
      world = await makeWorld(engine, { WITNESSES });
      const key = keyNamed(world.node.deps.issuer.did);
      watched.set(originOf(world.node.tenantId), [key]);
      logs.set(originOf(world.node.tenantId), [verifierKey(suite, key)]);
      // The node may have asked them before they were told of it.
      await askedAll(deps());
      await askAgain();
    });
    after(async () => {
      await world.close();
      await Promise.all([own.close(), plain.close()]);
      await rm(folder, { recursive: true, force: true });
    });

    const deps = () => world.node.deps;
    const named = () =>
      [own.key, others.vkey].map((vkey) => {
        const key = readVerifierKey(suite, vkey, WITNESS_KEY);
        return typeof key === 'string' ? assert.fail(key) : key;
      });
    const demand = (quorum = 2) => cosignedBy(suite, { witnesses: named(), quorum });
    const rows = () => deps().store.read(() => listChainWitnesses(world.node.tenantId));
    const checkOf = async (): Promise<Loose> =>
      (await world.rest('GET', '/ap2/admin/health')).body.checks.find((each: Loose) => each.check === 'witnesses');
    const newestNote = async (): Promise<string> =>
      (await world.rest('GET', '/ap2/evidence/checkpoints?limit=1')).body.data[0].note;
    /** Makes those that failed due again. */
    const askAgain = async () => {
      await deps().store.write(world.node.tenantId, () => run('UPDATE chain_witnesses SET due_at = 0, node_id = NULL'));
      await askedAll(deps());
    };
    const buy = async (): Promise<string> => {
      const mandateId = mandateIdOf(await purchase(world, 20));
      return (await world.rest('GET', `/ap2/payments/${mandateId}`)).body.transactionId;
    };
    /** One more event: an intent that is refused. */
    const grow = () => world.rest('POST', '/ap2/intents', world.intentBody(100_000));
    const bundleOf = async (transactionId: string) =>
      (await world.rest('GET', `/ap2/evidence/bundle/${transactionId}?format=portable`)).text;

    test('each checkpoint is cosigned by both, in one note that an implementation of node:crypto verifies', async () => {
      for (let round = 0; round < 3; round++) {
        await buy();
        await makeCheckpoint(deps(), world.node.tenantId);
        await askedAll(deps());
        const note = await newestNote();
        assert.ok(isSignedPlainly(note, own.key));
        assert.ok(isSignedPlainly(note, others.vkey));
        const log = verifierKey(suite, keyNamed(deps().issuer.did));
        assert.ok(isSignedPlainly(note, log));
        const lines =
          note
            .split('\n\n')[1]
            ?.split('\n')
            .filter((line) => line !== '') ?? [];
        assert.equal(lines.length, 3);
        assert.ok(lines[0]?.startsWith(`— ${deps().issuer.did} `), 'the log’s own signature is the first');
      }
      assert.equal((await checkOf()).level, 'ok');
    });

    test('a bundle and an export that are asked for at once carry what a stranger with both keys asks for', async () => {
      const text = await bundleOf(await buy());
      const { did } = deps().issuer;
      const check = verifyBundle(suite, text, did, { demand: demand() });
      assert.ok(check.ok, check.ok ? '' : check.reason);
      assert.ok(verifyBundle(suite, text, did).ok, 'who knows no witness reads it as before');
      await buy();
      const exported = (await world.rest('GET', '/ap2/evidence/export')).body;
      const whole = verifyExport(suite, exported, did, demand());
      assert.ok(whole.ok, whole.ok ? '' : whole.reason);
      const foreign = plainKey('other.example', 4, randomBytes(32)).vkey;
      const key = readVerifierKey(suite, foreign, WITNESS_KEY) as ReturnType<typeof keyNamed>;
      const more = cosignedBy(suite, { witnesses: [...named(), key], quorum: 3 });
      const lacking = verifyBundle(suite, text, did, { demand: more });
      assert.match(lacking.ok ? '' : lacking.reason, /2 of the 3 .* the cosignature of other\.example is missing/);
      assert.equal(lacking.ok ? '' : lacking.part, 'checkpoint');
      const unmet = verifyExport(suite, exported, did, more);
      assert.match(unmet.ok ? '' : unmet.reason, /of other\.example is missing/);
    });

    test('a witness that has seen less is brought up from its own size, and one that forgot from nothing', async () => {
      const origin = originOf(world.node.tenantId);
      const before = { ...(plain.seen.get(origin) as { size: number; root: string }) };
      for (const state of [before, undefined]) {
        await grow();
        await makeCheckpoint(deps(), world.node.tenantId);
        if (state === undefined) plain.seen.delete(origin);
        else plain.seen.set(origin, state);
        await askedAll(deps());
        assert.ok(isSignedPlainly(await newestNote(), others.vkey));
      }
      assert.equal((await checkOf()).level, 'ok');
    });

    test('without a quorum purchases and checkpoints go on, and after five minutes everybody is told', async () => {
      plain.answer = { status: 500, body: 'no' };
      const sent = await buy();
      const text = await bundleOf(sent);
      assert.ok(verifyBundle(suite, text, deps().issuer.did).ok, 'the bundle is given without it');
      const lacking = verifyBundle(suite, text, deps().issuer.did, { demand: demand() });
      assert.match(lacking.ok ? '' : lacking.reason, /of plain\.example\/w is missing/);
      assert.ok(
        verifyBundle(suite, text, deps().issuer.did, { demand: demand(1) }).ok,
        'one of two is enough for who says so',
      );
      assert.equal((await checkOf()).level, 'ok', 'a witness may be restarting');
      await deps().store.write(world.node.tenantId, function* () {
        yield* run('UPDATE checkpoints SET created_at = created_at - ?', 6 * MINUTE_MS);
        yield* run('UPDATE chain_witnesses SET failing_since = failing_since - ?', 6 * MINUTE_MS);
      });
      await askedAll(deps());
      const { level, message, remedy } = await checkOf();
      assert.equal(level, 'fault');
      assert.match(
        message,
        /is not cosigned by all 2 witnesses\. The witness plain\.example\/w has cosigned nothing since/,
      );
      assert.match(remedy, /evidence log/);
      assert.match((await deps().metrics.expose()).text, /^countersign_witness_quorum_missing 1$/m);
      const { items } = (await world.rest('GET', '/ap2/admin/attention')).body;
      assert.ok(
        items.some((item: Loose) => /is not cosigned by all 2/.test(item.message)),
        JSON.stringify(items),
      );
      await grow();
      plain.answer = undefined;
      await askAgain();
      assert.equal((await checkOf()).level, 'ok');
      assert.match((await deps().metrics.expose()).text, /^countersign_witness_quorum_missing 0$/m);
    });

    test('what is no cosignature of this checkpoint by the named key is not stored', async () => {
      const signedElsewhere = plainCosignature(others, 'another text\n', 1_700_000_000);
      const answers = [
        { status: 200, body: '' },
        { status: 200, body: 'thanks\n' },
        { status: 200, body: '— plain.example/w AAAA\n' },
        { status: 200, body: `x\n\n— plain.example/w ${'A'.repeat(100)}\n` },
        { status: 200, body: signedElsewhere },
        { status: 302, body: '' },
        { status: 409, type: 'text/x.tlog.size', body: 'many\n' },
        { status: 200, body: 'x'.repeat(100_000) },
        { status: 404, body: '' },
        { status: 403, body: '' },
      ];
      for (const answer of answers) {
        await grow();
        await makeCheckpoint(deps(), world.node.tenantId);
        plain.answer = answer;
        await askAgain();
        const row = (await rows()).find(({ witness }) => witness === others.vkey);
        assert.ok(row?.failure, JSON.stringify(answer).slice(0, 80));
        assert.equal(row.refusal, null);
        assert.ok(!(await newestNote()).includes('plain.example'));
      }
      plain.answer = undefined;
      await askAgain();
      assert.ok(isSignedPlainly(await newestNote(), others.vkey));
    });

    test('while a witness takes its time, purchases, checkpoints and their list go on', async () => {
      let release = () => {};
      plain.held = new Promise((resolve) => {
        release = resolve;
      });
      try {
        await grow();
        await makeCheckpoint(deps(), world.node.tenantId);
        const sent = plain.requests.length;
        const asking = askedAll(deps());
        await until('the witness was asked', async () => plain.requests.length > sent);
        await grow();
        const made = await makeCheckpoint(deps(), world.node.tenantId);
        assert.ok(made !== undefined && (await newestNote()).startsWith(made.note.split('\n\n')[0] ?? '-'));
        assert.equal(plain.requests.length, sent + 1, 'it is still being asked about the one before');
        plain.held = undefined;
        release();
        await asking;
        await askAgain();
        assert.ok(isSignedPlainly(await newestNote(), others.vkey));
      } finally {
        release();
        plain.held = undefined;
      }
    });

    test('two nodes of one database ask a witness once', async () => {
      const second = await world.another();
      try {
        await grow();
        await makeCheckpoint(deps(), world.node.tenantId);
        const sent = plain.requests.length;
        await Promise.all([deps(), second.deps, deps(), second.deps].map((each) => askedAll(each)));
        assert.equal(plain.requests.length - sent, 1);
        assert.ok(isSignedPlainly(await newestNote(), others.vkey));
      } finally {
        await second.stop();
      }
    });

    test('a verifier key of a log is told to witnesses as the note names it', () => {
      const vkey = verifierKey(suite, keyNamed(deps().issuer.did));
      assert.deepEqual(readVerifierKey(suite, vkey, LOG_KEY), keyNamed(deps().issuer.did));
    });
  });
}
