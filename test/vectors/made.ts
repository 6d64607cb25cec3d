/**
 * What both clients must make and judge alike, by the file that keeps it: each has cases that hold and their failing twins.
 * A case with `given` is made of it anew by each client, byte for byte.
 */
import { createHash, createHmac } from 'node:crypto';
import { makeDidProof } from '../../client/didProof.ts';
import { agentOf, signMessage } from '../../client/identity.ts';
import { signCart } from '../../client/selling.ts';
import { canonical } from '../../protocol/credential/canonical.ts';
import { nobleSuite as suite } from '../../protocol/credential/ed25519.ts';
import { toHex } from '../../protocol/credential/encodings.ts';
import { signDocument } from '../../protocol/credential/proof.ts';
import { issueCredential } from '../../protocol/credential/vc.ts';
import { type ChainedRecord, genesisHash, hashEvent, recordOf } from '../../protocol/evidence/chain.ts';
import { eventLeaf, originOf, signCheckpoint } from '../../protocol/evidence/log/checkpoint.ts';
import { GrowingTree } from '../../protocol/evidence/log/merkle.ts';
import { signatureHeaders, signingKey } from '../../src/webhooks/signature.ts';
import * as hard from '../support/hardKeys.ts';
import { JSON_REFUSED, JSON_TEXTS } from './jsonTexts.ts';

export type Case = Readonly<Record<string, unknown>> & { readonly name: string; readonly holds: boolean };

const SEED = new Uint8Array(32).fill(7);
const NODE_SEED = new Uint8Array(32).fill(8);
const agent = agentOf(SEED);
const node = agentOf(NODE_SEED);
const NOW = Date.parse('2026-11-26T10:00:00.000Z');
const CREATED = new Date(NOW).toISOString();

const holds = (name: string, members: object): Case => ({ name, holds: true, ...members });
const twin = (name: string, members: object): Case => ({ name, holds: false, ...members });

/** A document with one member set, by its path. */
function withMember(document: object, path: string, value: unknown): Record<string, unknown> {
  const copy = structuredClone(document) as Record<string, unknown>;
  const names = path.split('.');
  const last = names.pop() as string;
  let at = copy;
  for (const name of names) at = at[name] as Record<string, unknown>;
  if (value === undefined) delete at[last];
  else at[last] = value;
  return copy;
}

/** Doubles of every size, made of a sequence of 64 bits (xorshift). */
function doubles(count: number): number[] {
  const numbers: number[] = [];
  const view = new DataView(new ArrayBuffer(8));
  for (let bits = 0x9e3779b97f4a7c15n; numbers.length < count; ) {
    bits ^= (bits << 13n) & 0xffffffffffffffffn;
    bits ^= bits >> 7n;
    bits ^= (bits << 17n) & 0xffffffffffffffffn;
    view.setBigUint64(0, bits);
    const number = view.getFloat64(0);
    if (Number.isFinite(number)) numbers.push(number, Number(number.toPrecision(3)), (Number(bits >> 11n) % 1e9) / 100);
  }
  return numbers;
}

function jcs(): Case[] {
  const many = doubles(600)
    .map((number) => number.toExponential())
    .join();
  return [
    holds('many numbers', { json: `[${many}]`, canonical: canonical(JSON.parse(`[${many}]`)) }),
    ...Object.entries(JSON_TEXTS).map(([name, json]) => holds(name, { json, canonical: canonical(JSON.parse(json)) })),
    ...Object.entries(JSON_REFUSED).map(([name, json]) => twin(name, { json })),
  ];
}

function didKey(): Case[] {
  const { did, publicKey } = agent;
  const key = toHex(agent.signer.publicKey);
  const bare = (bytes: Uint8Array) => ({ key: toHex(bytes) });
  return [
    holds('canonical', { text: did, did, key }),
    twin('another method', { text: did.replace('key', 'web') }),
    twin('without a multibase prefix', { text: `did:key:${publicKey.slice(1)}` }),
    twin('a character that is not base58', { text: `${did.slice(0, -1)}0` }),
    twin('a key of secp256k1', { text: 'did:key:zQ3shokFTS3brHcDQrn82RUDfCZESWL1ZdCEJwekUDPQiYBme' }),
    twin('much too long', { text: `did:key:z${'6'.repeat(200)}` }),
    twin('nothing', { text: '' }),
    ...hard.SMALL_ORDER_KEYS.map((bytes, index) => twin(`a point of small order, ${index + 1}`, bare(bytes))),
    ...hard.BAD_ENCODINGS.map((bytes, index) => twin(`no canonical point, ${index + 1}`, bare(bytes))),
    twin('an honest key with a point of small order added', bare(hard.MIXED_ORDER_KEY)),
  ];
}

function signatures(): Case[] {
  const shown = ({ publicKey, message, signature }: hard.HardCase) => ({
    key: toHex(publicKey),
    message: toHex(message),
    signature: toHex(signature),
  });
  const flipped = Uint8Array.from(hard.HONEST.signature);
  flipped[3] = (flipped[3] ?? 0) ^ 1;
  return [
    holds('honest', shown(hard.HONEST)),
    twin('with a bit of R flipped', shown({ ...hard.HONEST, signature: flipped })),
    twin('cut short', shown({ ...hard.HONEST, signature: hard.HONEST.signature.slice(0, 63) })),
    twin('S plus the group order', shown(hard.LARGE_S)),
    twin('R with a part of small order', shown(hard.MIXED_R)),
    twin('forged under the identity', shown(hard.IDENTITY_FORGERY)),
    ...hard.SMALL_ORDER_R.map((each, index) => twin(`R of small order, ${index + 1}`, shown(each))),
    ...hard.MIXED_ORDER_CASES.map((each, index) => twin(`a key of mixed order, ${index + 1}`, shown(each))),
  ];
}

/** A message of the agent whose proof calls its algorithm by a name, which is signed with it (RFC 9864 has Ed25519 for EdDSA). */
function signedAs(alg: string, message: object): object {
  const { proof, ...content } = message as { readonly proof: { readonly jws: string } };
  const { jws: _, ...own } = proof;
  const header = Buffer.from(JSON.stringify({ alg, b64: false, crit: ['b64'] })).toString('base64url');
  const digests = [own, content].map((part) => suite.sha256(canonical(part)));
  const signature = agent.signer.sign(Buffer.concat([Buffer.from(`${header}.`), ...digests]));
  return { ...content, proof: { ...own, jws: `${header}..${Buffer.from(signature).toString('base64url')}` } };
}

function messages(): Case[] {
  const body = { agentDid: agent.did, principalDid: agent.did, request: { maxAmount: 42.5, currency: 'USD' } };
  const content = { type: 'IntentMandate', to: node.did, body, id: 'message-1', contextId: 'session-1' } as const;
  const document = signMessage(agent, content, new Date(NOW));
  const { jws } = document['proof'] as { readonly jws: string };
  const given = { seed: toHex(SEED), now: NOW, ...content };
  const changed = (name: string, path: string, value: unknown) =>
    twin(name, { document: withMember(document, path, value), did: agent.did });
  return [
    holds('as sent', { given, document, did: agent.did }),
    holds('by the other name of its algorithm', { document: signedAs('Ed25519', document), did: agent.did }),
    twin('by the name of another algorithm', { document: signedAs('Ed448', document), did: agent.did }),
    changed('with more money', 'body.request.maxAmount', 425),
    changed('to another node', 'to', agent.did),
    changed('later', 'created', new Date(NOW + 1000).toISOString()),
    changed('for another purpose', 'proof.proofPurpose', 'assertionMethod'),
    changed('with a member that is not signed', 'note', 'x'),
    changed('with another member in the proof', 'proof.nonce', 'x'),
    changed('without its proof', 'proof', undefined),
    changed('signed at no moment', 'proof.created', '2026-13-01T00:00:00Z'),
    changed('with a signature in padded base64', 'proof.jws', `${jws}=`),
    changed('with another header', 'proof.jws', jws.replace('ey', 'eY')),
    changed('of the key of another', 'proof.verificationMethod', `${node.did}#${node.publicKey}`),
    twin('expected of another', { document, did: node.did }),
  ];
}

function didProofs(): Case[] {
  const request = { baseUrl: 'http://localhost:8402', method: 'POST', path: '/ap2/intents', body: '{"a":"é"}' };
  const proof = makeDidProof(agent, request, new Date(NOW));
  // Its only randomness is the id, so that the same one gives the same proof.
  const claims = JSON.parse(Buffer.from(proof.split('.')[1] ?? '', 'base64url').toString());
  const signed = [
    proof.split('.')[0],
    Buffer.from(JSON.stringify({ ...claims, jti: 'jti-1' })).toString('base64url'),
  ].join('.');
  const header = `${signed}.${Buffer.from(agent.signer.sign(Buffer.from(signed))).toString('base64url')}`;
  const given = { seed: toHex(SEED), now: NOW / 1000, jti: 'jti-1' };
  return [
    holds('as sent', { given, request, header }),
    twin('for another method', { given, request: { ...request, method: 'PUT' }, header }),
    twin('for another path', { given, request: { ...request, path: '/ap2/agents' }, header }),
    twin('for another body', { given, request: { ...request, body: '{"a":"e"}' }, header }),
    twin('for another node', { given, request: { ...request, baseUrl: 'http://localhost:8403' }, header }),
    twin('with a changed signature', { given, request, header: `${header.slice(0, -2)}AA` }),
  ];
}

function credentials(): Case[] {
  const given = {
    seed: toHex(SEED),
    domain: 'Shop.Example',
    items: [
      { name: 'Oat milk', price: 2.15, quantity: 3 },
      { name: 'Käse', price: 10, quantity: 1, sku: 'k-1' },
    ],
    currency: 'EUR',
    id: 'urn:uuid:6f1e4f5e-0000-4000-8000-000000000001',
    validSeconds: 600,
    now: NOW,
  };
  const { seed: _seed, id, validSeconds, now, ...offer } = given;
  const cart = signCart(agent, offer, { id, validSeconds, now: new Date(now) });
  const subject = { mandateId: 'pm_1', amount: 16.45, currency: 'EUR' };
  const mandate = issueCredential(suite, node.signer, { type: 'PaymentMandate', subject, issuedAt: NOW }).document;
  const type = 'CartMandate';
  const changed = (name: string, path: string, value: unknown) =>
    twin(name, { type, now: NOW, document: withMember(cart, path, value) });
  return [
    holds('a cart', { given, type, now: NOW, document: cart }),
    holds('a payment mandate', { type: 'PaymentMandate', now: NOW, document: mandate }),
    holds('a cart before its time, within the skew of clocks', { type, now: NOW - 60_000, document: cart }),
    twin('a cart from the future', { type, now: NOW - 60_001, document: cart }),
    twin('of another type', { type: 'PaymentMandate', now: NOW, document: cart }),
    changed('with another total', 'credentialSubject.total', 1),
    changed('by another issuer', 'issuer', node.did),
    changed('by no DID', 'issuer', 'https://shop.example'),
    changed('without a context', '@context', []),
    changed('that names no credential', 'type', ['CartMandate']),
    changed('that expires at no moment', 'expirationDate', 'tomorrow'),
    changed('for longer', 'expirationDate', new Date(NOW + 3_600_000).toISOString()),
    changed('without a subject', 'credentialSubject', undefined),
    changed('with half a surrogate pair', 'credentialSubject.note', '\ud800'),
  ];
}

function presence(): Case[] {
  const content = {
    type: 'HumanPresenceProof',
    id: 'hp_1',
    issuer: node.did,
    agentDid: agent.did,
    intentId: 'intent_1',
    cartHash: `sha256:${'a'.repeat(64)}`,
    credentialId: 'passkey',
    verifiedAt: CREATED,
    expiresAt: new Date(NOW + 300_000).toISOString(),
  };
  const { document } = signDocument(suite, node.signer, content, { created: CREATED, proofPurpose: 'assertionMethod' });
  const changed = (name: string, path: string, value: unknown) =>
    twin(name, { document: withMember(document, path, value), did: node.did });
  return [
    holds('as issued', { given: { seed: toHex(NODE_SEED), content, created: CREATED }, document, did: node.did }),
    changed('for another cart', 'cartHash', `sha256:${'b'.repeat(64)}`),
    changed('for longer', 'expiresAt', new Date(NOW + 900_000).toISOString()),
    changed('for any cart', 'cartHash', undefined),
    twin('by another issuer', { document, did: agent.did }),
  ];
}

const TENANT = 'tnt_1';

function events(count: number): ChainedRecord[] {
  const chain: ChainedRecord[] = [];
  for (let seq = 1; seq <= count; seq++) {
    const record = recordOf({
      id: `evt_${seq}`,
      seq,
      eventType: 'INTENT_ISSUED',
      actorDid: agent.did,
      data: { maxAmount: seq / 10, name: `№ ${seq}`, nested: { b: 1, a: [true, null] } },
      hashPrev: chain.at(-1)?.hashCurr ?? genesisHash(suite, node.did, TENANT),
      hashCurr: '',
      createdAt: new Date(NOW + seq * 1000).toISOString(),
    });
    chain.push({ ...record, hashCurr: hashEvent(suite, record) });
  }
  return chain;
}

const asEvents = (records: readonly ChainedRecord[]) =>
  records.map(({ dataText, data: _data, ...event }: ChainedRecord & { data?: unknown }) => ({
    ...event,
    data: JSON.parse(dataText),
  }));

function rootOf(records: readonly ChainedRecord[]): Uint8Array {
  const tree = new GrowingTree(suite);
  for (const { hashCurr } of records) tree.add(eventLeaf(suite, hashCurr));
  return tree.root();
}

function chain(): Case[] {
  const records = events(7);
  const all = asEvents(records);
  const about = { issuer: node.did, tenantId: TENANT };
  return [
    ...[0, 1, 2, 3, 5, 7].map((size) =>
      holds(`of ${size} events`, { ...about, events: all.slice(0, size), root: toHex(rootOf(records.slice(0, size))) }),
    ),
    twin('of another tenant', { ...about, tenantId: 'tnt_2', events: all }),
    twin('by another issuer', { ...about, issuer: agent.did, events: all }),
    twin('without an event', { ...about, events: all.filter(({ seq }) => seq !== 3) }),
    twin('with two events exchanged', { ...about, events: [all[1], all[0], ...all.slice(2)] }),
    twin('with changed data', {
      ...about,
      events: all.map((event) => (event.seq === 4 ? { ...event, data: { ...event.data, maxAmount: 9 } } : event)),
    }),
    twin('with a changed time', {
      ...about,
      events: all.map((event) => (event.seq === 7 ? { ...event, createdAt: CREATED } : event)),
    }),
  ];
}

function checkpoints(): Case[] {
  const records = events(7);
  const checkpoint = { origin: originOf(TENANT), size: 7, root: rootOf(records) };
  const note = signCheckpoint(suite, node.signer, checkpoint);
  const other = signCheckpoint(suite, agent.signer, checkpoint).split('\n\n')[1] ?? '';
  const issuers = [node.did];
  const opened = { issuers, origin: checkpoint.origin, size: 7, root: toHex(checkpoint.root) };
  return [
    holds('as signed', { note, ...opened }),
    holds('with the signature of another beside it', { note: note + other, ...opened }),
    holds('after a change of keys', { note, ...opened, issuers: [agent.did, node.did] }),
    twin('by another', { note, issuers: [agent.did] }),
    twin('over more events', { note: note.replace('\n7\n', '\n8\n'), issuers }),
    twin('without a signature', { note: `${note.split('\n\n')[0]}\n`, issuers }),
    twin('cut short', { note: note.slice(0, -2), issuers }),
    twin('with a blank line in its text', { note: note.replace('\n7\n', '\n\n7\n'), issuers }),
    twin('with a tab', { note: note.replace('\n7\n', '\n\t7\n'), issuers }),
  ];
}

function webhooks(): Case[] {
  const secret = `whsec_${createHash('sha256').update('vectors').digest('base64')}`;
  const body = JSON.stringify({ id: 'evt_1', type: 'payment.captured', data: { merchant: 'käse.example' } });
  const sent = { id: 'evt_1', timestamp: NOW / 1000, body };
  const headers = signatureHeaders(sent, [signingKey(secret)]);
  const now = NOW / 1000;
  const case_ = { secret, now, headers, body };
  const mac = createHmac('sha256', '').update(`evt_1.${now}.${body}`).digest('base64');
  const emptyKey = { ...headers, 'webhook-signature': `v1,${mac}` };
  return [
    holds('as sent', case_),
    holds('of a secret that is no base64', {
      ...case_,
      secret: 'a secret',
      headers: signatureHeaders(sent, [signingKey('a secret')]),
    }),
    holds('while one secret replaces the other', {
      ...case_,
      headers: signatureHeaders(sent, [signingKey('the new one'), signingKey(secret)]),
    }),
    twin('with another body', { ...case_, body: body.replace('captured', 'refunded') }),
    twin('with another id', { ...case_, headers: { ...headers, 'webhook-id': 'evt_2' } }),
    twin('with another time', { ...case_, headers: { ...headers, 'webhook-timestamp': String(now + 1) } }),
    twin('301 seconds late', { ...case_, now: now + 301 }),
    twin('by another secret', { ...case_, secret: `${secret.slice(0, -4)}AAA=` }),
    twin('by no secret', { ...case_, secret: '', headers: emptyKey }),
    twin('without a signature', { ...case_, headers: { ...headers, 'webhook-signature': '' } }),
    twin('without a time', { ...case_, headers: { ...headers, 'webhook-timestamp': '' } }),
  ];
}

/** By the name of the file. */
export const MADE: Readonly<Record<string, () => Case[]>> = {
  jcs,
  'did-key': didKey,
  signatures,
  messages,
  'did-proofs': didProofs,
  credentials,
  presence,
  chain,
  checkpoints,
  webhooks,
};
