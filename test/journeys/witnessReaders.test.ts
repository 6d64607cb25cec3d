/** What readers are given by a node whose witnesses come, go and have wrong clocks, and what they make of it. */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { originOf, signCheckpoint } from '../../protocol/evidence/checkpoint.ts';
import { keyNamed, verifierKey } from '../../protocol/evidence/note.ts';
import { nativeSuite } from '../../src/crypto/nativeSuite.ts';
import { makeCheckpoint } from '../../src/handlers/evidence/makeCheckpoint.ts';
import { run } from '../../src/store/store.ts';
import { runHere } from '../cli/runHere.ts';
import { askedAll } from '../support/askedAll.ts';
import { plainKey } from '../support/plainNotes.ts';
import { type PlainWitness, plainWitness } from '../support/plainWitness.ts';
import { mandateIdOf, purchase } from '../support/purchase.ts';
import { everyEngine, type Loose, makeWorld, type World } from '../support/world.ts';

const suite = nativeSuite();

for (const engine of everyEngine()) {
  describe(`readers of cosigned evidence on ${engine.name}`, () => {
    let world: World;
    let folder: string;
    const keys = [1, 2].map((number) => plainKey(`w${number}.example`, 4, randomBytes(32)));
    let witnesses: PlainWitness[];
    const logs = new Map<string, string[]>();

    before(async () => {
      folder = await mkdtemp(join(tmpdir(), 'countersign-readers-'));
      witnesses = await Promise.all(keys.map((key) => plainWitness(key, logs)));
      const WITNESSES = keys.map(({ vkey }, index) => `${vkey} ${witnesses[index]?.url}`).join(',');
      world = await makeWorld(engine, { WITNESSES });
      logs.set(originOf(tenantId()), [verifierKey(suite, keyNamed(deps().issuer.did))]);
      // The node may have asked them before they were told of it.
      await askedAll(deps());
      await askAgain();
    });
    after(async () => {
      await world.close();
      await Promise.all(witnesses.map((witness) => witness.close()));
      await rm(folder, { recursive: true, force: true });
    });

    const deps = () => world.node.deps;
    const tenantId = () => world.node.tenantId;
    const second = () => witnesses[1] ?? assert.fail();
    /** Makes those that failed due again. */
    const askAgain = async () => {
      await deps().store.write(tenantId(), () => run('UPDATE chain_witnesses SET due_at = 0, node_id = NULL'));
      await askedAll(deps());
    };
    const buy = async (): Promise<string> => {
      const mandateId = mandateIdOf(await purchase(world, 20));
      return (await world.rest('GET', `/ap2/payments/${mandateId}`)).body.transactionId;
    };
    /** One more event: an intent that is refused. */
    const grow = () => world.rest('POST', '/ap2/intents', world.intentBody(100_000));
    const keep = async (name: string, text: string) => {
      await writeFile(join(folder, name), text);
      return join(folder, name);
    };
    const bundleOf = async (transactionId: string) =>
      (await world.rest('GET', `/ap2/evidence/bundle/${transactionId}?format=portable`)).text;
    const newest = async (): Promise<Loose> =>
      (await world.rest('GET', '/ap2/evidence/checkpoints?limit=1')).body.data[0];
    const sizeIn = (bundle: string) => Number(JSON.parse(bundle).checkpoint.split('\n')[1]);
    const verify = async (...args: string[]) => {
      const words = ['evidence', 'verify', ...args, '--issuer', deps().issuer.did, '--allow-unsigned'];
      const { code, stdout, stderr } = await runHere(words);
      return { code, output: stdout + stderr };
    };

    test('a bundle that is older than the kept checkpoint is no cut, and the proof between the two compares them', async () => {
      const transactionId = await buy();
      const size = sizeIn(await bundleOf(transactionId));
      second().answer = { status: 500, body: '' };
      await grow();
      await makeCheckpoint(deps(), tenantId());
      const kept = await newest();
      assert.equal(kept.size, size + 1);
      const text = await bundleOf(transactionId);
      assert.equal(sizeIn(text), size, 'the newest that both have cosigned');
      const given = [await keep('bundle.json', text), '--checkpoint', await keep('kept.txt', kept.note)];

      const unproven = await verify(...given);
      assert.equal(unproven.code, 1);
      assert.doesNotMatch(unproven.output, /cut short/);
      assert.match(unproven.output, new RegExp(`over ${size} events.* older than .* kept, over ${kept.size}`));
      assert.match(unproven.output, /--consistency/);
      const { ok, part, fault } = JSON.parse((await verify(...given, '--json')).output);
      assert.deepEqual([ok, part, fault], [false, 'kept checkpoint', 'unproven']);

      const path = /\/ap2\/evidence\/checkpoints\/\d+\/consistency\?from=\d+/.exec(unproven.output)?.[0] ?? '';
      const proof = await keep('proof.json', (await world.rest('GET', path)).text);
      const proven = await verify(...given, '--consistency', proof);
      assert.equal(proven.code, 0, proven.output);

      const fork = { origin: originOf(tenantId()), size: kept.size, root: new Uint8Array(32).fill(1) };
      const forked = await keep('fork.txt', signCheckpoint(suite, deps().issuer, fork));
      const rewritten = await verify(given[0] as string, '--checkpoint', forked, '--consistency', proof);
      assert.equal(rewritten.code, 1);
      assert.match(rewritten.output, /was rewritten/);

      const other = (await world.rest('GET', `/ap2/evidence/checkpoints/${size}/consistency?from=${size}`)).text;
      const wrong = await verify(...given, '--consistency', await keep('other.json', other));
      assert.equal(wrong.code, 1);
      assert.match(wrong.output, new RegExp(`from ${size} to ${size} events.* from ${size} to ${kept.size}`));
      assert.doesNotMatch(wrong.output, /rewritten/);
      second().answer = undefined;
      await askAgain();
    });

    test('a bundle that is newer than the kept checkpoint names the proof that it needs', async () => {
      const kept = await newest();
      const text = await bundleOf(await buy());
      const given = [await keep('bundle.json', text), '--checkpoint', await keep('kept.txt', kept.note)];
      const unproven = await verify(...given);
      assert.equal(unproven.code, 1);
      const path = /\/ap2\/evidence\/checkpoints\/\d+\/consistency\?from=\d+/.exec(unproven.output)?.[0] ?? '';
      const proof = await keep('proof.json', (await world.rest('GET', path)).text);
      const proven = await verify(...given, '--consistency', proof);
      assert.equal(proven.code, 0, proven.output);
    });
  });
}
