/** The proof extension of A2A: the vector in both spellings, what the normal form leaves out, and what it never does. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { Message } from '@a2a-js/sdk';
import bs58 from 'bs58';
import fc from 'fast-check';
import { DID_PROOF, normalForm } from '../../../protocol/a2a/normalForm.ts';
import { checkMessageProof, proveArtifact } from '../../../protocol/a2a/proofExtension.ts';
import { canonical } from '../../../protocol/credential/canonical.ts';
import { nobleSuite } from '../../../protocol/credential/ed25519.ts';
import { fromHex } from '../../../protocol/credential/encodings.ts';
import { makeProof } from '../../../protocol/credential/proof.ts';
import { everyMutation } from '../../support/mutate.ts';

type Json = Record<string, unknown>;
interface Part {
  readonly kind: 'text' | 'data';
}

/** Made by hand from the text of the extension, with the key of the first test of RFC 8032 section 7.1. */
const VECTOR = JSON.parse(readFileSync('test/protocol/a2a/did-proof.json', 'utf8'));
const signer = nobleSuite.signer(fromHex(VECTOR.seed)!);
const node = nobleSuite.signer(new Uint8Array(32).fill(7));
const CREATED = '2026-11-21T16:00:00.000Z';
const HASH = nobleSuite.sha256Hex(VECTOR.jcsOfNormalForm);

const check = (message: Json, to: string = VECTOR.to) => checkMessageProof(nobleSuite, message, { to });
const form = (message: Json) => canonical(normalForm(message));
const copy = (): Json & { metadata: Record<string, Json & { proof: Json }>; parts: Json[] } =>
  structuredClone(VECTOR.v1);

function refusal(change: (message: ReturnType<typeof copy>) => void, to?: string): string {
  const message = copy();
  change(message);
  const found = check(message, to);
  assert.ok(found !== undefined && !found.ok, JSON.stringify(found));
  return found.reason;
}

/** Of v0.3 as much as the vector has of it. */
function fromV03({ kind, role, parts, ...message }: { kind: string; role: string; parts: Part[] } & Json): Json {
  return { ...message, role: `ROLE_${role.toUpperCase()}`, parts: parts.map(({ kind, ...part }) => part) };
}

test('the vector holds in both spellings of A2A, and both have one hash', () => {
  const expected = { ok: true, from: VECTOR.did, created: CREATED, hash: HASH };
  for (const message of [VECTOR.v1, fromV03(VECTOR.v03)]) {
    assert.equal(form(message), VECTOR.jcsOfNormalForm);
    assert.deepEqual(check(message), expected);
  }
});

test('the vector is what this code signs, too', () => {
  const options = { created: CREATED, proofPurpose: 'authentication' } as const;
  assert.deepEqual(makeProof(nobleSuite, signer, normalForm(VECTOR.v1), options).proof, VECTOR.proof);
});

test('a message without this extension is neither proven nor refused', () => {
  for (const metadata of [undefined, null, {}, 'text', [], { other: 1 }, { [DID_PROOF]: null }, { [DID_PROOF]: {} }]) {
    assert.equal(check({ messageId: 'msg-1', metadata }), undefined);
  }
});

test('every change of the message, of the extension or of its proof is refused', () => {
  const signed = { ...normalForm(VECTOR.v1), metadata: VECTOR.v1.metadata } as Json;
  assert.equal(check(signed)?.ok, true);
  // The first change of an object adds a member that is null, which is no change but in the content of a part.
  const added = new Set(
    ['', 'metadata', `metadata.${DID_PROOF}`, 'parts.0', 'parts.1'].map((at) => `${at} altered (0)`),
  );
  const mutations = everyMutation(signed).filter(({ name }) => !added.has(name));
  assert.ok(mutations.length > 100, `only ${mutations.length} mutations`);
  for (const { name, document } of mutations) assert.notEqual(check(document)?.ok, true, name);
});

test('a proof is good for one recipient, one purpose and the key of its sender, and each refusal says which it missed', () => {
  const extension = (message: ReturnType<typeof copy>) => message.metadata[DID_PROOF]!;
  assert.match(
    refusal(() => {}, node.did),
    new RegExp(`^"to" of the proof extension must be ${node.did}\\.$`),
  );
  assert.match(
    refusal((message) => Object.assign(extension(message), { from: node.did })),
    /verificationMethod must be the key of/,
  );
  assert.match(
    refusal((message) => Object.assign(extension(message).proof, { proofPurpose: 'assertionMethod' })),
    /purpose must be authentication/,
  );
  assert.match(
    refusal((message) => Object.assign(extension(message), { proof: undefined })),
    /malformed at "metadata\.urn:countersign:a2a:did-proof:v1\.proof"/,
  );
  assert.match(
    refusal((message) => Object.assign(extension(message), { from: 'did:web:shop.example' })),
    /malformed at .*\.from": A DID must begin with did:key:/,
  );
  assert.match(
    refusal((message) => Object.assign(message, { messageId: 'msg-2' })),
    /signature does not match/,
  );
});

test('a member "proof" of the message itself is refused, since no signature would cover it', () => {
  assert.match(
    refusal((message) => Object.assign(message, { proof: VECTOR.proof })),
    /belongs into the metadata/,
  );
});

test('a sender named in the bare spelling of its DID is given in the canonical one', () => {
  const bare = `did:key:${bs58.encode(signer.publicKey)}`;
  const message = { messageId: 'm', metadata: { [DID_PROOF]: { from: bare, to: VECTOR.to } } };
  const options = { created: CREATED, proofPurpose: 'authentication' } as const;
  const { proof } = makeProof(nobleSuite, signer, normalForm(message), options);
  const found = check({ ...message, metadata: { [DID_PROOF]: { from: bare, to: VECTOR.to, proof } } });
  assert.equal(found?.ok && found.from, signer.did);
});

const json = fc.jsonValue({ maxDepth: 4 }).filter((value) => !JSON.stringify(value).includes('__proto__'));
const empty = fc.constantFrom(null, '', [], {}, { none: { at: [] } }, { nothing: null });

test('empty members anywhere but in the content of a part change nothing, in whatever order members stand', () => {
  fc.assert(
    fc.property(json, json, empty, fc.string(), (metadata, data, nothing, name) => {
      const message = { messageId: 'm', parts: [{ data }, { text: '' }], metadata: { given: metadata } };
      const added = `-${name}`;
      const padded = {
        [added]: nothing,
        parts: [
          { [added]: nothing, data },
          { metadata: nothing, text: '' },
        ],
        metadata: { [added]: { [added]: nothing }, given: metadata },
        messageId: 'm',
      };
      assert.equal(form(padded), form(message));
      assert.deepEqual(normalForm(normalForm(padded)), normalForm(message));
    }),
  );
});

/** The same by JSON.parse, which goes from the inside out and leaves out the members that become undefined. */
function withoutEmpty(value: unknown): unknown {
  const isEmpty = (text: string) => ['null', '""', '[]', '{}'].includes(text);
  const [left] = JSON.parse(JSON.stringify([value]), function (this: unknown, _name, member) {
    return !Array.isArray(this) && isEmpty(JSON.stringify(member)) ? undefined : member;
  });
  return left;
}

test('every member that is not empty is signed, at every depth', () => {
  fc.assert(
    fc.property(json, json, (one, other) => {
      const message = { messageId: 'm', metadata: { one }, unknown: { other } };
      assert.equal(form(message), canonical(withoutEmpty(message)));
    }),
  );
});

test('text and data of a part are signed as they stand, down to what is empty in them', () => {
  fc.assert(
    fc.property(json, json, (one, other) => {
      const [first, second] = [one, other].map((data) => form({ parts: [{ data }] }));
      assert.equal(first === second, canonical(one) === canonical(other));
    }),
  );
  const contents = [{}, { text: '' }, { data: '' }, { data: {} }, { data: { a: '' } }, { data: { a: null } }];
  assert.equal(new Set(contents.map((part) => form({ parts: [part] }))).size, contents.length);
  assert.equal(form({ parts: [{ data: {}, filename: '' }, { raw: '' }] }), '{"parts":[{"data":{}},{}]}');
});

test('bytes have one spelling, and null as content says nothing', () => {
  for (const raw of ['-_-_-w', '-_-_-w==', '+/+/+w', '+/+/+w==', '+_-/+w=']) {
    assert.equal(form({ parts: [{ raw }] }), '{"parts":[{"raw":"+/+/+w=="}]}', raw);
  }
  for (const raw of ['+/+/+w==x', 'no base64', 'A', '+/+/+x==']) {
    assert.equal(form({ parts: [{ raw }] }), JSON.stringify({ parts: [{ raw }] }), raw);
  }
  // Elsewhere it is no content of a part.
  assert.equal(form({ metadata: { raw: '-_-_-w' } }), '{"metadata":{"raw":"-_-_-w"}}');
  for (const part of [{ data: null }, { text: null }]) assert.equal(form({ parts: [part] }), '{"parts":[{}]}');
});

test('a message holds after one hop through a2a-js 1.3.0, with every content that a part can have', () => {
  const contents = [{ text: '' }, { data: { a: null, b: [null, {}], n: 1000 } }, { data: null }, { raw: '-_-_-w' }];
  const metadata = { seen: { none: null }, [DID_PROOF]: { from: signer.did, to: VECTOR.to } };
  const message = {
    messageId: 'm',
    contextId: '',
    role: 'ROLE_USER',
    parts: [...contents, { url: 'https://a.example' }],
  };
  const options = { created: CREATED, proofPurpose: 'authentication' } as const;
  const { proof } = makeProof(nobleSuite, signer, normalForm({ ...message, metadata }), options);
  const proven = { ...message, metadata: { ...metadata, [DID_PROOF]: { ...metadata[DID_PROOF], proof } } };
  const passedOn = JSON.parse(JSON.stringify(Message.toJSON(Message.fromJSON(proven))));
  assert.notDeepEqual(passedOn, proven);
  assert.deepEqual([check(proven)?.ok, check(passedOn)?.ok], [true, true]);
});

test('parts and data are content in the list of parts alone', () => {
  const elsewhere = { metadata: { parts: [{ data: {}, text: 'x' }], data: '' } };
  assert.equal(form(elsewhere), '{"metadata":{"parts":[{"text":"x"}]}}');
});

test('an artifact is signed for its caller, who checks it as the node checks a message', () => {
  const artifact = { artifactId: 'a-1', description: '', parts: [{ data: { allowed: true } }], metadata: { seen: 1 } };
  const proven = proveArtifact(nobleSuite, node, artifact, { to: signer.did, created: CREATED });
  assert.deepEqual(proven.extensions, [DID_PROOF]);
  const found = check(proven, signer.did);
  assert.deepEqual(found?.ok && [found.from, found.created], [node.did, CREATED]);
  assert.equal(check({ ...proven, description: 'more' }, signer.did)?.ok, false);
  assert.equal(check(proven, VECTOR.to)?.ok, false);
});
