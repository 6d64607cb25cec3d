/** A chain that is verified in pieces holds exactly where the whole of it does, however it is cut. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { canonical, hashText } from '../../../protocol/credential/canonical.ts';
import { nobleSuite as suite } from '../../../protocol/credential/ed25519.ts';
import { type EvidenceEvent, eventLine, genesisHash, hashEvent, recordOf } from '../../../protocol/evidence/chain.ts';
import { checkPiece, PieceJoiner, type StoredNote } from '../../../protocol/evidence/chainPieces.ts';
import { eventLeaf, originOf, signCheckpoint } from '../../../protocol/evidence/log/checkpoint.ts';
import { GrowingTree } from '../../../protocol/evidence/log/merkle.ts';

const TENANT = 'tnt_1';
const issuer = suite.signer(new Uint8Array(32).fill(7));
const other = suite.signer(new Uint8Array(32).fill(8));

function chainOf(facts: readonly Record<string, unknown>[]): EvidenceEvent[] {
  let hashPrev = genesisHash(suite, issuer.did, TENANT);
  return facts.map((data, at) => {
    const createdAt = '2026-01-01T00:00:00.000Z';
    const event = {
      id: `evt_${at}`,
      seq: at + 1,
      eventType: 'INTENT_ISSUED',
      actorDid: 'did:key:z6Mk',
      hashPrev,
      createdAt,
    };
    const hashCurr = hashEvent(suite, { ...event, dataText: canonical(data) });
    hashPrev = hashCurr;
    return { ...event, data, hashCurr };
  });
}

function noteOver(events: readonly EvidenceEvent[], signer = issuer): string {
  const tree = new GrowingTree(suite);
  for (const { hashCurr } of events) tree.add(eventLeaf(suite, hashCurr));
  return signCheckpoint(suite, signer, { origin: originOf(TENANT), size: events.length, root: tree.root() });
}

const encode = (text: string) => new TextEncoder().encode(text);
/** As a node sends it, so that its bytes are checked. */
const asSent = (event: EvidenceEvent) => eventLine(recordOf(event));
/** As another program may write it, so that it has to be parsed. */
const otherwise = (event: EvidenceEvent) => JSON.stringify(event);
const writings = fc.constantFrom(asSent, otherwise, (event: EvidenceEvent) =>
  event.seq % 2 === 0 ? asSent(event) : otherwise(event),
);

/** @param cuts after how many events each piece ends */
function verify(
  events: readonly EvidenceEvent[],
  options: {
    cuts?: readonly number[];
    checkpoint?: string;
    kept?: readonly StoredNote[];
    trusted?: string;
    write?: (event: EvidenceEvent) => string;
  } = {},
) {
  const { cuts = [], checkpoint = noteOver(events), kept = [], trusted = issuer.did, write = asSent } = options;
  const joiner = new PieceJoiner(suite, kept);
  const ends = [...new Set([...cuts.filter((cut) => cut > 0 && cut < events.length), events.length])].sort(
    (a, b) => a - b,
  );
  let from = 0;
  for (const end of ends) {
    const fault = joiner.add(checkPiece(suite, encode(events.slice(from, end).map(write).join('\n')), joiner.cuts));
    if (fault !== undefined) return { ok: false as const, fault };
    from = end;
  }
  const end = { chainValid: true, fromSeq: 1, toSeq: events.length, issuer: issuer.did, tenantId: TENANT, checkpoint };
  return joiner.finish(end, trusted, kept);
}

const facts = fc.array(fc.dictionary(fc.string(), fc.oneof(fc.string(), fc.integer()), { noNullPrototype: true }), {
  minLength: 1,
  maxLength: 12,
});
const ways = fc.constantFrom('data', 'actor', 'gone', 'moved');
const cuts = fc.array(fc.integer({ min: 1, max: 12 }), { maxLength: 4 });

test('an untouched chain holds, however it is cut, and so does each older checkpoint of it', () => {
  fc.assert(
    fc.property(facts, cuts, fc.nat(), writings, (data, cuts, older, write) => {
      const events = chainOf(data);
      const kept = [{ note: noteOver(events.slice(0, 1 + (older % events.length))) }];
      const result = verify(events, { cuts, kept, write });
      assert.ok(result.ok, JSON.stringify(result));
      assert.deepEqual(result.kept, [{ ok: true }]);
      assert.equal(result.size, events.length);
    }),
  );
});

test('an event that was changed, left out or moved is named, however the chain is cut', () => {
  fc.assert(
    fc.property(facts, cuts, fc.nat(), ways, writings, (data, cuts, at, how, write) => {
      const events = chainOf([...data, { last: true }, { last: true }]);
      const index = at % (events.length - 1);
      const wrong = [...events];
      const event = wrong[index] as EvidenceEvent;
      if (how === 'data') wrong[index] = { ...event, data: { ...event.data, changed: 'by hand' } };
      if (how === 'actor') wrong[index] = { ...event, actorDid: 'did:key:z6MkEve' };
      if (how === 'gone') wrong.splice(index, 1);
      if (how === 'moved') wrong.splice(index, 2, wrong[index + 1] as EvidenceEvent, event);
      const result = verify(wrong, { cuts, checkpoint: noteOver(events), write });
      assert.equal(result.ok, false);
      assert.equal(!result.ok && result.fault.seq, index + 1, how);
    }),
  );
});

test('a chain that its own issuer rewrote or cut short holds by itself, and not against a checkpoint from before', () => {
  const events = chainOf([{ a: 1 }, { a: 2 }, { a: 3 }, { a: 4 }]);
  const kept = [{ note: noteOver(events.slice(0, 3)) }];
  const rewritten = verify(chainOf([{ a: 1 }, { a: 9 }, { a: 3 }, { a: 4 }]), { kept });
  assert.ok(rewritten.ok);
  assert.equal(rewritten.kept[0]?.ok === false && rewritten.kept[0].fault, 'forked');
  const cut = verify(chainOf([{ a: 1 }, { a: 2 }]), { kept });
  assert.ok(cut.ok);
  assert.equal(cut.kept[0]?.ok === false && cut.kept[0].fault, 'truncated');
});

test('a chain of another issuer, an unsigned one, and a forged note do not hold', () => {
  const events = chainOf([{ a: 1 }, { a: 2 }]);
  const reasonOf = (result: ReturnType<typeof verify>) => (result.ok ? '' : result.fault.reason);
  assert.match(reasonOf(verify(events, { trusted: other.did })), /not by/);
  assert.match(reasonOf(verify(events, { checkpoint: noteOver(events, other) })), /does not hold/);
  assert.match(reasonOf(verify(events, { checkpoint: noteOver(events.slice(0, 1)) })), /over 1 events, not 2/);
  const forged = verify(events, { kept: [{ note: noteOver(events, other) }, { note: 'nothing' }] });
  assert.deepEqual(forged.ok && forged.kept.map(({ ok }) => ok), [false, false]);
});

test('a line that is not canonical is parsed, so that no second meaning of it passes for the one that was hashed', () => {
  const [event] = chainOf([{ amount: 1 }]) as [EvidenceEvent];
  const doubled = eventLine(recordOf(event)).replace('{"amount":1}', '{"amount":1,"amount":9}');
  const hashed = doubled.replace(/"hashCurr":"[^"]*",/, '');
  const forged = doubled.replace(event.hashCurr, hashText(suite, `evidence-v1\n${hashed}`));
  const { fault } = checkPiece(suite, encode(forged));
  assert.equal(fault?.reason, 'The content of event 1 does not match its hash.');
});
