/** The evidence chain: its hash is the standard's, and any change to any event is found where it was made. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { canonical, hashText } from '../../../protocol/credential/canonical.ts';
import { nobleSuite as suite } from '../../../protocol/credential/ed25519.ts';
import {
  type EvidenceEvent,
  eventLine,
  genesisHash,
  hashEvent,
  recordOf,
  verifyChain,
} from '../../../protocol/evidence/chain.ts';

const GENESIS = genesisHash(suite, 'did:key:z6MkIssuer', 'tnt_1');

function chain(data: readonly Record<string, unknown>[]): EvidenceEvent[] {
  let hashPrev = GENESIS;
  return data.map((facts, index) => {
    const event = {
      id: `evt_${index}`,
      seq: index + 1,
      eventType: 'INTENT_ISSUED',
      actorDid: 'did:key:z6MkAgent "quoted"',
      hashPrev,
      createdAt: '2026-01-01T00:00:00.000Z',
    };
    const hashCurr = hashEvent(suite, { ...event, dataText: canonical(facts) });
    hashPrev = hashCurr;
    return { ...event, data: facts, hashCurr };
  });
}

const start = { hash: GENESIS, seq: 0 };
const facts = fc.dictionary(fc.string(), fc.oneof(fc.string(), fc.integer(), fc.boolean()), { noNullPrototype: true });

test('the genesis hash names issuer and tenant', () => {
  assert.equal(GENESIS, hashText(suite, 'did:key:z6MkIssuer\ntnt_1'));
});

test('an event is hashed as the canonical form of all its members but the hash', () => {
  fc.assert(
    fc.property(facts, (data) => {
      const [event] = chain([data]);
      assert.ok(event);
      const { hashCurr, ...rest } = event;
      assert.equal(hashCurr, hashText(suite, `evidence-v1\n${canonical(rest)}`));
      assert.equal(eventLine(recordOf(event)), canonical(event));
    }),
  );
});

test('an untouched chain verifies', () => {
  fc.assert(
    fc.property(fc.array(facts, { maxLength: 8 }), (data) => {
      assert.deepEqual(verifyChain(suite, chain(data).map(recordOf), start), { valid: true });
    }),
  );
});

test('a changed member, a dropped event and a swapped pair are found at the first event that is wrong', () => {
  const events = chain([{ a: 1 }, { a: 2 }, { a: 3 }, { a: 4 }]);
  const changes: [string, (event: EvidenceEvent) => EvidenceEvent][] = [
    ['id', (event) => ({ ...event, id: 'evt_x' })],
    ['eventType', (event) => ({ ...event, eventType: 'CART_REJECTED' })],
    ['actorDid', (event) => ({ ...event, actorDid: 'did:key:z6MkOther' })],
    ['data', (event) => ({ ...event, data: { a: 9 } })],
    ['createdAt', (event) => ({ ...event, createdAt: '2026-01-01T00:00:00.001Z' })],
    ['hashPrev', (event) => ({ ...event, hashPrev: GENESIS })],
    ['hashCurr', (event) => ({ ...event, hashCurr: GENESIS })],
  ];
  for (const [member, change] of changes) {
    const spoiled = events.map((event) => (event.seq === 3 ? change(event) : event));
    const check = verifyChain(suite, spoiled.map(recordOf), start);
    assert.ok(!check.valid, member);
    assert.equal(check.brokenAtSeq, 3, member);
  }
  const dropped = verifyChain(suite, events.toSpliced(1, 1).map(recordOf), start);
  assert.deepEqual(dropped, { valid: false, brokenAtSeq: 3, reason: 'event 2 is missing' });
  const other = verifyChain(suite, events.map(recordOf), {
    hash: genesisHash(suite, 'did:key:z6MkIssuer', 'tnt_2'),
    seq: 0,
  });
  assert.ok(!other.valid && other.brokenAtSeq === 1, 'one tenant’s chain is not another’s');
});
