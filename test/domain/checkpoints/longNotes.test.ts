/** A checkpoint that more witnesses have cosigned over the years than a note is read with. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { nobleSuite as suite } from '../../../protocol/credential/ed25519.ts';
import { originOf, signCheckpoint } from '../../../protocol/evidence/log/checkpoint.ts';
import { cosign, readCosignatures } from '../../../protocol/evidence/log/cosignature.ts';
import { keyNamed, openNote, readNote } from '../../../protocol/evidence/log/note.ts';
import { cosigned } from '../../../src/domain/checkpoints/cosignedNote.ts';
import { putCosignature } from '../../../src/store/statements/evidence/cosignatures.ts';
import { engines, type TestDatabase } from '../../support/engines.ts';

const TENANT = 'tnt_1';
const issuer = suite.signer(new Uint8Array(32).fill(1));
const witness = suite.signer(new Uint8Array(32).fill(2));
const note = signCheckpoint(suite, issuer, { origin: originOf(TENANT), size: 5, root: new Uint8Array(32).fill(3) });

for (const engine of engines()) {
  describe(`long notes on ${engine.name}`, () => {
    let database: TestDatabase;
    before(async () => {
      database = await engine.open();
    });
    after(() => database.drop());

    test('a checkpoint that 80 witnesses cosigned one after the other is handed out with the newest that it has room for', async () => {
      const { text } = readNote(note) as Extract<ReturnType<typeof readNote>, { ok: true }>;
      // The names of the newest sort first.
      const names = Array.from({ length: 80 }, (_, at) => `w${String(99 - at)}.example`);
      const lines = names.map((name) => cosign(suite, witness, name, text, 1_700_000_000_000));
      await database.store.write(TENANT, function* () {
        for (const [at, line] of lines.entries()) {
          yield* putCosignature(TENANT, { size: 5, witness: names[at] ?? '', line, created_at: at });
        }
      });
      const row = { tenant_id: TENANT, size: 5, note, created_at: 0 };
      const [found] = await database.store.read(() => cosigned(TENANT, [row]));
      assert.equal(found?.note, note + lines.slice(-63).join(''));
      assert.ok(openNote(suite, found?.note ?? '', keyNamed(issuer.did)).ok);
      const newest = { name: names.at(-1) ?? '', publicKey: witness.publicKey };
      const read = readCosignatures(suite, found?.note ?? '', [newest]);
      assert.equal(read.ok && read.cosignatures.length, 1);
    });
  });
}
