/**
 * The vectors that both clients are checked by: each file has what TypeScript makes now, and TypeScript judges each case as the
 * file says. packages/python/tests/test_vectors.py does the same in Python. UPDATE_VECTORS=1 writes the files.
 */
import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { describe, test } from 'node:test';
import { CountersignError, verifyWebhook } from '../../client/index.ts';
import { canonical } from '../../protocol/credential/canonical.ts';
import { canonicalDid, didOfKey, keyOfDid } from '../../protocol/credential/did.ts';
import { nobleSuite as suite } from '../../protocol/credential/ed25519.ts';
import { fromHex, toHex } from '../../protocol/credential/encodings.ts';
import { checkProof } from '../../protocol/credential/proof.ts';
import { checkCredential } from '../../protocol/credential/vc.ts';
import { genesisHash, recordOf, verifyChain } from '../../protocol/evidence/chain.ts';
import { eventLeaf, openCheckpoint } from '../../protocol/evidence/log/checkpoint.ts';
import { GrowingTree } from '../../protocol/evidence/log/merkle.ts';
import { Fault } from '../../protocol/wire/fault.ts';
import { parseJson } from '../../protocol/wire/json.ts';
import { verifyDidProof } from '../../src/access/didProof.ts';
import type { Loose } from '../support/world.ts';
import { type Case, MADE } from './made.ts';

const bytes = (hex: string) => fromHex(hex) as Uint8Array;

/** Whether something is done, and not refused. */
function isTaken(act: () => unknown): boolean {
  try {
    act();
    return true;
  } catch (error) {
    if (error instanceof Fault) return false;
    throw error;
  }
}

/** By the name of the file, whether a case holds. */
const JUDGED: Readonly<Record<string, (each: Loose) => boolean>> = {
  jcs: ({ json, canonical: expected }) =>
    isTaken(() => {
      const text = canonical(parseJson(json));
      assert.equal(text, expected ?? text);
    }),
  'did-key': ({ text, did, key }) =>
    isTaken(() => {
      if (text === undefined) return didOfKey(bytes(key));
      assert.equal(canonicalDid(text), did);
      return assert.equal(toHex(keyOfDid(text)), key);
    }),
  signatures: ({ key, message, signature }) => suite.verify(bytes(key), bytes(message), bytes(signature)),
  messages: ({ document, did }) => checkProof(suite, document, { proofPurpose: 'authentication', did }).ok,
  'did-proofs': ({ request: { body, ...request }, header }) =>
    isTaken(() => {
      const bodyHash = Buffer.from(suite.sha256(body)).toString('base64url');
      verifyDidProof(suite, header, { ...request, bodyHash });
    }),
  credentials: ({ document, type, now }) => checkCredential(suite, document, { type, now }).ok,
  presence: ({ document, did }) => checkProof(suite, document, { proofPurpose: 'assertionMethod', did }).ok,
  chain({ events, issuer, tenantId, root }) {
    const previous = { seq: 0, hash: genesisHash(suite, issuer, tenantId) };
    const { valid } = verifyChain(suite, events.map(recordOf), previous);
    const tree = new GrowingTree(suite);
    for (const { hashCurr } of events) tree.add(eventLeaf(suite, hashCurr));
    if (valid) assert.equal(toHex(tree.root()), root);
    return valid;
  },
  checkpoints({ note, issuers, origin, size, root }) {
    const opened = openCheckpoint(suite, note, issuers);
    if (opened.ok)
      assert.deepEqual({ ...opened.checkpoint, root: toHex(opened.checkpoint.root) }, { origin, size, root });
    return opened.ok;
  },
  // The node makes signatures, and receivers judge them.
  webhooks({ secret, now, headers, body }) {
    try {
      return verifyWebhook(secret, { headers, body, now: new Date(now * 1000) }).id === 'evt_1';
    } catch (error) {
      assert.ok(error instanceof CountersignError && error.code === 'INVALID_WEBHOOK', String(error));
      return false;
    }
  },
};

describe('the vectors', () => {
  for (const [name, make] of Object.entries(MADE)) {
    const file = `test/vectors/${name}.json`;
    test(`of ${name} are what TypeScript makes now, and hold or fail as they say`, async () => {
      const made = make();
      const text = `[\n${made.map((each) => JSON.stringify(each)).join(',\n')}\n]\n`;
      if (process.env['UPDATE_VECTORS'] !== undefined) await writeFile(file, text);
      const kept = await readFile(file, 'utf8');
      assert.equal(kept, text, `${file} is not what TypeScript makes now: UPDATE_VECTORS=1 writes it`);
      const cases: Case[] = JSON.parse(kept);
      assert.ok(cases.some((each) => each.holds) && cases.some((each) => !each.holds), 'each has failing twins');
      for (const each of cases) assert.equal(JUDGED[name]?.(each), each.holds, each.name);
    });
  }
});
