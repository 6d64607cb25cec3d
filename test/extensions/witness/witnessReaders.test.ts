/** What readers are given by a node whose witnesses come, go and have wrong clocks, and what they make of it. */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { signDocument } from '../../../protocol/credential/proof.ts';
import { openCheckpoint, originOf, signCheckpoint } from '../../../protocol/evidence/log/checkpoint.ts';
import { keyNamed, verifierKey } from '../../../protocol/evidence/log/note.ts';
import { nativeSuite } from '../../../src/crypto/nativeSuite.ts';
import { portableBundle } from '../../../src/domain/bundles/portableBundle.ts';
import { makeCheckpoint } from '../../../src/domain/checkpoints/makeCheckpoint.ts';
import { haveCosigned } from '../../../src/extensions/witness/asking/haveCosigned.ts';
import { askedWitnesses } from '../../../src/extensions/witness/asking/witnesses.ts';
import { listChainWitnesses, putCosignature } from '../../../src/store/statements/evidence/cosignatures.ts';
import { run } from '../../../src/store/store.ts';
import type { Cosigner } from '../../../src/usecase/watch.ts';
import { runHere } from '../../cli/runHere.ts';
import { askedAll } from '../../support/askedAll.ts';
import { everyEngine } from '../../support/engines.ts';
import { plainCosignature, plainKey } from '../../support/plainNotes.ts';
import { type PlainWitness, plainWitness } from '../../support/plainWitness.ts';
import { mandateIdOf, purchase } from '../../support/purchase.ts';
import { type Loose, makeWorld, type World } from '../../support/world.ts';

const suite = nativeSuite();

for (const engine of everyEngine()) {
  describe(`readers of cosigned evidence on ${engine.name}`, () => {
    let world: World;
    let folder: string;
    const keys = [1, 2].map((number) => plainKey(`w${number}.example`, 4, randomBytes(32)));
    let witnesses: PlainWitness[];
    const logs = new Map<string, string[]>();
    /** What the second witness takes for the time, in seconds since the epoch. */
    const secondClock = { read: () => Math.floor(Date.now() / 1000) };

    before(async () => {
      folder = await mkdtemp(join(tmpdir(), 'countersign-readers-'));
      witnesses = await Promise.all(
        keys.map((key, index) => plainWitness(key, logs, index === 1 ? () => secondClock.read() : undefined)),
      );
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
    const openedNote = (note: string) => {
      const opened = openCheckpoint(suite, note, [deps().issuer.did]);
      return opened.ok ? opened.checkpoint : assert.fail(opened.reason);
    };
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

    /** The reason that the second witness fails for; null where it does not. */
    const failure = async (): Promise<string | null> => {
      const rows = await deps().store.read(() => listChainWitnesses(tenantId()));
      return rows.find(({ witness }) => witness === keys[1]?.vkey)?.failure ?? null;
    };
    const demand = () => keys.flatMap(({ vkey }) => ['--witness', vkey]);

    test('a cosignature whose time no clock could show now is not taken, and the witness is told by what it says', async () => {
      const seconds = () => Math.floor(Date.now() / 1000);
      for (const [clock, reason] of [
        [() => seconds() * 1e6, /seconds/],
        [() => seconds() * 1000, /ahead of the clock of this node/],
        [() => seconds() + 420, /7 minutes ahead of the clock of this node/],
        [() => seconds() - 420, /7 minutes before the checkpoint/],
        [() => 1, /before the checkpoint/],
        [() => 0, /no time|dated 0/],
      ] as const) {
        await grow();
        await makeCheckpoint(deps(), tenantId());
        secondClock.read = clock;
        await askAgain();
        assert.match((await failure()) ?? '', reason);
        assert.ok(!(await newest()).note.includes('— w2.example '));
      }
      for (const off of [240, -240, 0]) {
        await grow();
        await makeCheckpoint(deps(), tenantId());
        secondClock.read = () => seconds() + off;
        await askAgain();
        assert.equal(await failure(), null, `a clock that is ${off} s off`);
        assert.ok((await newest()).note.includes('— w2.example '));
      }
    });

    test('a cosignature that was stored with a time beyond every clock is replaced, and makes no reader fail', async () => {
      const transactionId = await buy();
      const note: string = JSON.parse(await bundleOf(transactionId)).checkpoint;
      const size = Number(note.split('\n')[1]);
      const text = note.slice(0, note.lastIndexOf('\n\n') + 1);
      for (const time of [Date.now() * 1000, Date.now()]) {
        const line = plainCosignature(keys[1] ?? assert.fail(), text, time);
        await deps().store.write(tenantId(), () =>
          run('UPDATE cosignatures SET line = ? WHERE size = ? AND witness = ?', line, size, String(keys[1]?.vkey)),
        );
        const shown = await keep('bad.json', await bundleOf(transactionId));
        const verdict = await verify(shown, ...demand());
        assert.equal(verdict.code, 0, verdict.output);
        await askedAll(deps());
        const after = (await newest()).note as string;
        assert.ok(!after.includes(line), 'another line has taken its place');
        assert.ok(after.includes('— w2.example '));
      }
    });

    test('a checkpoint that enough have cosigned is found, however much was cosigned by others since', async () => {
      const transactionId = await buy();
      const size = sizeIn(await bundleOf(transactionId));
      second().answer = { status: 500, body: '' };
      for (let checkpoints = 0; checkpoints < 10; checkpoints++) {
        await grow();
        const made = (await makeCheckpoint(deps(), tenantId())) ?? assert.fail();
        await askedAll(deps());
        await deps().store.write(tenantId(), function* () {
          for (let former = 0; former < 60; former++) {
            const row = { size: made.size, witness: `former${former}.example+00000000+AAAA`, created_at: 1 };
            yield* putCosignature(tenantId(), { ...row, line: '— former.example AAAA\n' });
          }
        });
      }
      const given = await keep('old.json', await bundleOf(transactionId));
      const verdict = await verify(given, ...demand());
      assert.equal(verdict.code, 0, verdict.output);
      assert.match(verdict.output, new RegExp(`in a chain of ${size} events`));
      await deps().store.write(tenantId(), () => run("DELETE FROM cosignatures WHERE witness LIKE 'former%'"));
      second().answer = undefined;
      await askAgain();
    });

    test('what witnesses have cosigned stays in bundles as it does in the list, once none or others are named', async () => {
      const transactionId = await buy();
      await bundleOf(transactionId);
      const { note } = await newest();
      assert.ok(keys.every(({ name }) => note.includes(`— ${name} `)));
      const first = askedWitnesses({ WITNESSES: [`${keys[0]?.vkey} ${witnesses[0]?.url}`] }, true);
      const ofFirst: Cosigner = (own, ...asked) => haveCosigned({ ...own, witnesses: first }, ...asked);
      for (const cosigners of [[], [ofFirst]]) {
        const evidence = { ...deps().evidence, cosigners };
        const bundle = await portableBundle({ ...deps(), evidence }, tenantId(), transactionId);
        assert.equal(bundle?.checkpoint, note);
      }
    });

    test('a reader is told of a cosignature that is dated far ahead, and of one beyond every calendar', async () => {
      const bundle = JSON.parse(await bundleOf(await buy()));
      const { proof, checkpoint, ...rest } = bundle;
      const text = checkpoint.slice(0, checkpoint.lastIndexOf('\n\n') + 1);
      const dated = async (time: number) => {
        const note = signCheckpoint(suite, deps().issuer, openedNote(checkpoint));
        const line = plainCosignature(keys[1] ?? assert.fail(), text, time);
        const content = { ...rest, checkpoint: note + line };
        const options = { created: proof.created, proofPurpose: 'assertionMethod' } as const;
        const file = await keep('dated.json', signDocument(suite, deps().issuer, content, options).text);
        return verify(file, '--witness', String(keys[1]?.vkey));
      };
      const ahead = await dated(Date.now());
      assert.equal(ahead.code, 0, ahead.output);
      assert.match(ahead.output, /! .*w2\.example .* ahead of this machine’s clock/);
      const beyond = await dated(Date.now() * 1000);
      assert.equal(beyond.code, 1);
      assert.match(beyond.output, /✗ checkpoint: .*w2\.example is dated \d+/);
      const right = await dated(Math.floor(Date.now() / 1000));
      assert.equal(right.code, 0);
      assert.doesNotMatch(right.output, /! /);
    });
  });
}
