/** What the oracle says of keys, of proofs and of what is kept for how long: of each a history that holds, and ones that break it. */
import assert from 'node:assert/strict';
import { createHash, sign } from 'node:crypto';
import { describe, test } from 'node:test';
import canonicalize from 'canonicalize';
import { makePeer, type Peer, prove } from '../support/peer.ts';
import type { Books, Happening, Violation } from './history.ts';
import { Calls } from './oracle/calls.ts';
import { KeyLaw } from './oracle/keyLaw.ts';
import type { Law } from './oracle/law.ts';
import { ProofLaw } from './oracle/proofLaw.ts';
import { RetentionLaw } from './oracle/retentionLaw.ts';

const START = Date.UTC(2027, 2, 27);
const DAY_MS = 86_400_000;
const TENANT = 'tnt_1';

function sha256(...parts: readonly Buffer[]): Buffer {
  return createHash('sha256').update(Buffer.concat(parts)).digest();
}

/** A law, and what is told to it. */
class Told {
  readonly calls = new Calls();
  readonly found: Violation[] = [];
  readonly #law: Law;
  #place = 0;
  #ids = 0;

  constructor(makeLaw: (calls: Calls) => Law) {
    this.#law = makeLaw(this.calls);
  }

  tell(happening: Happening): void {
    this.calls.follow(happening, this.#place);
    this.found.push(...this.#law.tell(happening, this.#place));
    this.#place += 1;
  }

  ask(call: string, input: unknown, status: number, body: unknown, { at = START, by = 'agent 1' } = {}): void {
    this.#ids += 1;
    this.tell({ at, kind: 'asked', id: this.#ids, by, node: 0, call, input });
    this.tell({ at, kind: 'answered', id: this.#ids, status, body });
  }

  quiet(books: Partial<Books>): void {
    const none = { payments: [], intents: [], events: [], deliveries: [], checkpoints: [], rail: [] };
    this.tell({ at: START, kind: 'quiet', books: { ...none, ...books } });
  }

  says(sentence: RegExp): void {
    assert.ok(
      this.found.some((each) => sentence.test(each.sentence)),
      this.found.map((each) => each.sentence).join('\n'),
    );
  }
}

describe('keys', () => {
  const [first, second] = [makePeer(), makePeer()] as const;

  function note(size: number, { did, privateKey }: Peer): string {
    const text = `example/${TENANT}\n${size}\n${'A'.repeat(43)}=\n`;
    const signed = Buffer.concat([Buffer.alloc(4), sign(null, Buffer.from(text), privateKey)]).toString('base64');
    return `${text}\n— ${did} ${signed}\n`;
  }

  function event(seq: number, eventType: string, data: object) {
    const begin = sha256(Buffer.from(`${first.did}\n${TENANT}`)).toString('hex');
    const createdAt = new Date(START).toISOString();
    return {
      id: `evt_${seq}`,
      seq,
      eventType,
      actorDid: first.did,
      data,
      hashPrev: `sha256:${begin}`,
      hashCurr: 'sha256:00',
      createdAt,
    };
  }

  function rotation(by: Peer = first): object {
    const statement = { type: 'IssuerRotation', from: first.did, to: second.did };
    return { from: first.did, to: second.did, rotation: prove(by, statement, 'assertionMethod', new Date(START)) };
  }

  function credential(issuer: Peer, at: number): object {
    const intentVc = { issuer: issuer.did, issuanceDate: new Date(at).toISOString(), credentialSubject: {} };
    return { allowed: true, intentVc: prove(issuer, intentVc, 'assertionMethod', new Date(at)) };
  }

  /** A chain of ten events whose fifth one rotates the key. */
  function rotated(
    events = [event(1, 'KEY_CREATED', {}), event(5, 'ISSUER_ROTATED', rotation()), event(10, 'KEY_CREATED', {})],
  ) {
    const told = new Told((calls) => new KeyLaw(calls));
    told.quiet({ events, checkpoints: [note(3, first), note(7, second)] });
    return told;
  }

  test('checkpoints by the key that was in force at their length are right', () => {
    const told = rotated();
    told.ask('issueIntent', {}, 200, credential(second, START + 1000));
    told.quiet({ checkpoints: [note(10, second)] });
    assert.deepEqual(told.found, []);
  });

  test('a checkpoint by the former key, over events after its end, is a violation', () => {
    const told = rotated();
    told.quiet({ checkpoints: [note(9, first)] });
    told.says(/checkpoint over 9 events is signed by .* was in force/);
  });

  test('a rotation that the former key has not signed is a violation', () => {
    rotated([event(1, 'KEY_CREATED', {}), event(5, 'ISSUER_ROTATED', rotation(second))]).says(
      /not signed by the former key/,
    );
  });

  test('a credential that a key dates after its end, and one of an unknown key, are violations', () => {
    for (const issuer of [first, makePeer()]) {
      const told = rotated();
      told.ask('issueIntent', {}, 200, credential(issuer, START + 1000));
      told.quiet({});
      told.says(issuer === first ? /when that key was not in force/ : /which the chain does not know/);
    }
  });

  test('a credential whose signature does not hold is a violation', () => {
    const told = rotated();
    const given = credential(second, START + 1000) as { intentVc: object };
    told.ask('issueIntent', {}, 200, { ...given, intentVc: { ...given.intentVc, validFrom: 'another' } });
    told.says(/signature does not hold/);
  });

  test('an intent of the former key that is not taken any more is a violation, and a forged one that is taken', () => {
    const told = rotated();
    const input = { intentVc: { issuer: first.did }, cartVc: {} };
    told.ask('validateCart', input, 400, { error: {} }, { by: 'a thief with the retired key' });
    assert.deepEqual(told.found, []);
    told.ask('validateCart', input, 400, { error: {} });
    told.says(/was refused after a rotation/);
    const allowed = { allowed: true, approvalToken: 'apt_1', approvalTokenExpiresAt: '', cartHash: '' };
    told.ask('validateCart', input, 200, allowed, { by: 'a thief with the retired key' });
    told.says(/signed by a retired key/);
  });

  test('a revoked API key, and a merchant’s key that was unbound, that still serve are violations', () => {
    const told = rotated();
    const by = 'the holder of the revoked key key_1';
    told.ask('listPayments', {}, 401, {}, { by });
    told.ask('bindMerchant', {}, 201, { id: 'mch_1', domain: 'shop.example', did: 'did:key:zM' });
    const cart = { cartVc: { issuer: 'did:key:zM', credentialSubject: { merchant: 'shop.example' } } };
    const allowed = { allowed: true, approvalToken: 'apt_1', approvalTokenExpiresAt: '', cartHash: '' };
    told.ask('validateCart', cart, 200, allowed);
    assert.deepEqual(told.found, []);
    told.ask('listPayments', {}, 200, {}, { by });
    told.says(/though the key was revoked/);
    told.ask('removeMerchant', { id: 'mch_1' }, 204, undefined);
    told.ask('validateCart', cart, 200, allowed);
    told.says(/key of the cart was unbound before/);
  });
});

describe('what is kept', () => {
  const idAt = (prefix: string, at: number) => {
    const digits = '0123456789abcdefghjkmnpqrstvwxyz';
    let text = '';
    for (let rest = at; text.length < 10; rest = Math.floor(rest / 32)) text = digits[rest % 32] + text;
    return `${prefix}_${text}${'0'.repeat(16)}`;
  };

  function asked(call: string, input: object, status: number, days: number): readonly Violation[] {
    const told = new Told((calls) => new RetentionLaw(calls));
    told.ask('createSession', { contextId: 'c1' }, 201, {});
    told.ask(call, input, status, {}, { at: START + days * DAY_MS });
    return told.found;
  }

  test('a log of webhooks is there for 30 days, and gone some days later', () => {
    const log = { id: idAt('whl', START) };
    for (const [status, days] of [
      [200, 29],
      [200, 33],
      [404, 31],
      [404, 39],
    ] as const) {
      assert.deepEqual(asked('getWebhookLog', log, status, days), [], `${status} after ${days} days`);
    }
    assert.match(
      String(asked('getWebhookLog', log, 404, 29)[0]?.sentence),
      /found nothing, and it is kept for 30 days/,
    );
    assert.match(String(asked('getWebhookLog', log, 200, 39)[0]?.sentence), /found it, and it is kept for 30 days/);
  });

  test('a session goes by when it was opened, and a payment never', () => {
    assert.equal(asked('getSession', { contextId: 'c1' }, 404, 20).length, 1);
    assert.equal(asked('getSession', { contextId: 'c1' }, 404, 40).length, 0);
    assert.equal(asked('getPayment', { mandateId: idAt('pm', START) }, 404, 300).length, 1);
    assert.equal(asked('getPayment', { mandateId: idAt('pm', START) }, 200, 300).length, 0);
  });
});

describe('proofs', () => {
  const leaf = (hashCurr: string) => sha256(Buffer.from([0]), Buffer.from(hashCurr.slice(7), 'hex'));
  const node = (left: Buffer, right: Buffer) => sha256(Buffer.from([1]), left, right);
  /** RFC 9162 section 2.1.1, word for word. */
  const rootOf = (leaves: readonly Buffer[]): Buffer => {
    if (leaves.length === 1) return leaves[0] as Buffer;
    const split = 2 ** Math.floor(Math.log2(leaves.length - 1));
    return node(rootOf(leaves.slice(0, split)), rootOf(leaves.slice(split)));
  };
  /** Section 2.1.3.1. */
  const path = (index: number, leaves: readonly Buffer[]): Buffer[] => {
    if (leaves.length === 1) return [];
    const split = 2 ** Math.floor(Math.log2(leaves.length - 1));
    const [left, right] = [leaves.slice(0, split), leaves.slice(split)];
    return index < split ? [...path(index, left), rootOf(right)] : [...path(index - split, right), rootOf(left)];
  };
  /** Section 2.1.4.1. */
  const subProof = (from: number, leaves: readonly Buffer[], isWhole: boolean): Buffer[] => {
    if (from === leaves.length) return isWhole ? [] : [rootOf(leaves)];
    const split = 2 ** Math.floor(Math.log2(leaves.length - 1));
    const [left, right] = [leaves.slice(0, split), leaves.slice(split)];
    if (from <= split) return [...subProof(from, left, isWhole), rootOf(right)];
    return [...subProof(from - split, right, false), rootOf(left)];
  };
  const SIZE = 21;
  const events = Array.from({ length: SIZE }, (_, index) => {
    const content = { seq: index + 1, data: {} };
    const hash = sha256(Buffer.from(`evidence-v1\n${canonicalize(content)}`)).toString('hex');
    return { ...content, hashCurr: `sha256:${hash}` };
  });
  const leaves = events.map(({ hashCurr }) => leaf(hashCurr));
  const begin = () =>
    new Told((calls) => new ProofLaw(calls, (size) => rootOf(leaves.slice(0, size)).toString('base64')));
  const texts = (hashes: readonly Buffer[]) => hashes.map((hash) => hash.toString('base64'));

  test('of every event at every length, and of every length at every other, hold', () => {
    const told = begin();
    for (let size = 1; size <= SIZE; size++) {
      const tree = leaves.slice(0, size);
      for (const { seq, hashCurr } of events.slice(0, size)) {
        told.ask('proveInclusion', { size, seq }, 200, { hashCurr, proof: texts(path(seq - 1, tree)) });
        told.ask('proveConsistency', { size, from: seq }, 200, { proof: texts(subProof(seq, tree, true)) });
      }
    }
    told.ask('evidenceBundle', { seq: 7, transactionId: 'txn_1' }, 200, { events: [events[6]] });
    assert.deepEqual(told.found, []);
  });

  test('that are missing, or changed, or of another event, are violations', () => {
    const proof = texts(path(6, leaves));
    const cases = [
      ['proveInclusion', { size: SIZE, seq: 7 }, 404, {}, /is not proven: 404/],
      ['proveInclusion', { size: SIZE, seq: 8 }, 200, { hashCurr: events[6]?.hashCurr, proof }, /does not hold/],
      [
        'proveInclusion',
        { size: SIZE, seq: 7 },
        200,
        { hashCurr: events[6]?.hashCurr, proof: proof.slice(1) },
        /does not hold/,
      ],
      ['proveConsistency', { size: SIZE, from: 6 }, 200, { proof: texts(subProof(7, leaves, true)) }, /does not hold/],
      ['evidenceBundle', { seq: 7, transactionId: 'txn_1' }, 200, { events: [] }, /not in the bundle/],
      [
        'evidenceBundle',
        { seq: 7, transactionId: 'txn_1' },
        200,
        { events: [{ ...events[6], data: { other: 1 } }] },
        /another one/,
      ],
    ] as const;
    for (const [call, input, status, body, sentence] of cases) {
      const told = begin();
      told.ask(call, input, status, body);
      told.says(sentence);
    }
  });
});
