/** Evidence: exported, searched, bundled and verified; and a change in the database is found. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { canonical } from '../../protocol/credential/canonical.ts';
import { nobleSuite } from '../../protocol/credential/ed25519.ts';
import { hashEvent } from '../../protocol/evidence/chain.ts';
import { all, run } from '../../src/store/store.ts';
import { everyEngine } from '../support/engines.ts';
import { mandateIdOf, purchase } from '../support/purchase.ts';
import { type Loose, makeWorld, type World } from '../support/world.ts';

for (const engine of everyEngine()) {
  describe(`evidence on ${engine.name}`, () => {
    let world: World;
    before(async () => {
      world = await makeWorld(engine);
      await purchase(world, 10);
      await purchase(world, 20, { instrument: 'pm_card_visa_chargeDeclined' });
      await world.rest('POST', '/ap2/intents', world.intentBody(900));
    });
    after(() => world.close());

    test('is exported whole, oldest first, and can be verified by hand from the genesis', async () => {
      const { body } = await world.rest('GET', '/ap2/evidence/export');
      assert.equal(body.chainValid, true);
      assert.equal(body.fromSeq, 1);
      assert.equal(body.toSeq, body.events.length);
      let hashPrev = `sha256:${Buffer.from(nobleSuite.sha256(`${body.issuer}\n${body.tenantId}`)).toString('hex')}`;
      for (const [index, event] of body.events.entries()) {
        assert.equal(event.seq, index + 1);
        assert.equal(event.hashPrev, hashPrev);
        assert.equal(event.hashCurr, hashEvent(nobleSuite, { ...event, dataText: canonical(event.data) }));
        hashPrev = event.hashCurr;
      }
    });

    test('is exported in part by number, time, type and actor', async () => {
      const types = async (query: string) =>
        (await world.rest('GET', `/ap2/evidence/export?${query}`)).body.events.map((event: Loose) => event.eventType);
      assert.deepEqual(await types('last=1'), ['INTENT_DENIED']);
      assert.deepEqual(await types('eventTypes=PM_ISSUED,PAYMENT_FAILED'), [
        'PM_ISSUED',
        'PM_ISSUED',
        'PAYMENT_FAILED',
      ]);
      assert.deepEqual(await types('eventTypes=PAYMENT_FAILED&eventTypes=INTENT_DENIED'), [
        'PAYMENT_FAILED',
        'INTENT_DENIED',
      ]);
      assert.deepEqual(await types('last=1&eventTypes=PM_ISSUED'), ['PM_ISSUED']);
      assert.equal((await types(`actorDid=${world.agent.did}`)).length, 9);
      assert.deepEqual(await types('to=2020-01-01T00:00:00Z'), []);
      assert.deepEqual(await types('from=2999-01-01T00:00:00Z'), []);
    });

    test('is exported as CSV that no spreadsheet takes for formulas', async () => {
      await world.rest('POST', '/ap2/agents', {
        name: '=cmd',
        publicKey: (await import('../support/peer.ts')).makePeer().publicKey,
      });
      const csv = await world.rest('GET', '/ap2/evidence/export?format=csv');
      assert.match(csv.headers.get('content-type') ?? '', /text\/csv/);
      const lines = csv.text.trimEnd().split('\r\n');
      assert.equal(lines[0], 'id,seq,eventType,actorDid,data,hashPrev,hashCurr,createdAt');
      const { csvLine } = await import('../../src/domain/evidence/showEvidence.ts');
      const event = {
        id: '=1+1',
        seq: 1,
        eventType: '+x',
        actorDid: '-y',
        dataText: '{}',
        hashPrev: '@z',
        hashCurr: 'a"b',
        createdAt: 't',
      };
      assert.equal(csvLine(event), `'=1+1,1,'+x,'-y,{},'@z,"a""b",t\r\n`);
      const data = { item: 'tea; =1+1;@x', note: '; ok' };
      const written = csvLine({ ...event, dataText: JSON.stringify(data) });
      assert.doesNotMatch(written, /;\s*[=+\-@]/);
      const text = /"(\{.*\})"/.exec(written)?.[1]?.replaceAll('""', '"');
      assert.deepEqual(JSON.parse(String(text)), data);
    });

    test('names an event whose text the database has damaged, and shows the others', async () => {
      const { store } = world.node.deps;
      const { tenantId } = world.node;
      const { body } = await world.rest('GET', '/ap2/evidence/search?limit=10');
      const broken = body.data.find((event: Loose) => event.eventType === 'INTENT_DENIED');
      const write = (data: string) =>
        store.write(tenantId, function* () {
          yield {
            sql: 'UPDATE evidence SET data = ? WHERE tenant_id = ? AND seq = ?',
            args: [data, tenantId, broken.seq],
          };
        });
      await write('{"agentDid":');
      for (const path of ['/ap2/evidence/search?limit=10', '/ap2/decisions?limit=10']) {
        const page = await world.rest('GET', path);
        assert.equal(page.status, 200, page.text);
        assert.deepEqual(
          page.body.damaged.map(({ place }: Loose) => place),
          [String(broken.seq)],
        );
        assert.match(page.body.damaged[0].message, /countersign doctor/);
        assert.ok(page.body.data.length > 0);
      }
      await write(canonical(broken.data));
      assert.equal((await world.rest('GET', '/ap2/evidence/search?limit=10')).body.damaged, undefined);
    });

    test('is exported line by line, with the closing facts on the last line', async () => {
      const lines = await world.rest('GET', '/ap2/evidence/export?format=ndjson&eventTypes=PM_ISSUED,INTENT_DENIED');
      assert.match(lines.headers.get('content-type') ?? '', /^application\/x-ndjson/);
      const { body } = await world.rest('GET', '/ap2/evidence/export?eventTypes=PM_ISSUED,INTENT_DENIED');
      const { events, ...end } = body;
      assert.ok(events.length > 1);
      const expected = [...events, { end }].map((line) => `${JSON.stringify(line)}\n`);
      assert.equal(lines.text, expected.join(''));
      const none = await world.rest('GET', '/ap2/evidence/export?format=ndjson&to=2020-01-01T00:00:00Z');
      assert.deepEqual(Object.keys(JSON.parse(none.text)), ['end']);
    });

    test('is searched newest first, page by page, stable while events are added', async () => {
      const first = await world.rest('GET', `/ap2/evidence/search?actorDid=${world.agent.did}&limit=4`);
      assert.equal(first.body.data.length, 4);
      await world.rest('POST', '/ap2/intents', world.intentBody(901));
      const seen = [...first.body.data];
      for (let cursor = first.body.cursor; cursor !== null; ) {
        const path = `/ap2/evidence/search?actorDid=${world.agent.did}&limit=4&cursor=${cursor}`;
        const page = await world.rest('GET', path);
        seen.push(...page.body.data);
        cursor = page.body.cursor;
      }
      const seqs = seen.map((event) => event.seq);
      assert.deepEqual(
        seqs,
        [...seqs].sort((a, b) => b - a),
      );
      assert.equal(new Set(seqs).size, 9);
      const denied = await world.rest('GET', '/ap2/evidence/search?eventType=INTENT_DENIED');
      assert.equal(denied.body.data.length, 2);
    });

    test('of one transaction says what became of it', async () => {
      const paid = await purchase(world, 5);
      const record = await world.rest('GET', `/ap2/payments/${mandateIdOf(paid)}`);
      const path = `/ap2/evidence/bundle/${record.body.transactionId}`;
      await world.rest('POST', `/ap2/payments/${mandateIdOf(paid)}/capture`);
      const bundle = await world.rest('GET', path);
      assert.equal(bundle.body.summary.status, 'CAPTURED');
      assert.equal(bundle.body.summary.agent, world.agent.did);
      assert.equal(bundle.body.chainValid, true);
      assert.equal((await world.rest('GET', '/ap2/evidence/bundle/txn_nothing')).status, 404);
    });

    test('of a transaction that went on much later is verified without all that came between', async () => {
      const { store } = world.node.deps;
      const mandateId = mandateIdOf(await purchase(world, 5));
      const { transactionId } = (await world.rest('GET', `/ap2/payments/${mandateId}`)).body;
      const path = `/ap2/evidence/bundle/${transactionId}`;
      const [{ last }] = (await store.read(() => all<Loose>('SELECT MAX(seq) AS last FROM evidence'))) as [Loose];
      for (let denied = 0; denied < 510; denied += 30) {
        const ask = () => world.rest('POST', '/ap2/intents', world.intentBody(902));
        await Promise.all(Array.from({ length: 30 }, ask));
      }
      await world.rest('POST', `/ap2/payments/${mandateId}/capture`);
      const set = (seq: number, data: string) =>
        store.write(world.node.tenantId, () => run('UPDATE evidence SET data = ? WHERE seq = ?', data, seq));
      const isValid = async () => (await world.rest('GET', path)).body.chainValid;
      const find = async (seq: number) =>
        (await store.read(() => all<Loose>('SELECT data FROM evidence WHERE seq = ?', seq)))[0].data;
      assert.equal(await isValid(), true);
      const between = await find(last + 100);
      await set(last + 100, '{"forged":true}');
      assert.equal(await isValid(), true, 'an event of others, far from its own');
      assert.equal((await world.rest('GET', '/ap2/evidence/verify')).body.brokenAtSeq, last + 100);
      await set(last + 100, between);
      const own = await find(last);
      await set(last, '{"forged":true}');
      assert.equal(await isValid(), false, 'one of its own');
      await set(last, own);
      assert.equal(await isValid(), true);
    });

    test('is verified in part, and says how many events it looked at', async () => {
      const part = await world.rest('GET', '/ap2/evidence/verify?fromSeq=3&toSeq=5');
      assert.equal(part.body.valid, true);
      assert.equal(part.body.eventsVerified, 3);
    });

    test('that was changed, or lacks an event, no longer verifies, and the first break is named', async () => {
      const { store } = world.node.deps;
      const { tenantId } = world.node;
      const change = (sql: string, ...args: (string | number)[]) => store.write(tenantId, () => run(sql, ...args));
      const before = (await world.rest('GET', '/ap2/evidence/export')).body.events[3];
      const set = 'UPDATE evidence SET data = ? WHERE tenant_id = ? AND seq = 4';
      await change(set, '{"forged":true}', tenantId);
      const forged = await world.rest('GET', '/ap2/evidence/verify');
      assert.equal(forged.body.valid, false);
      assert.equal(forged.body.brokenAtSeq, 4);
      assert.equal((await world.rest('GET', '/ap2/evidence/export')).body.chainValid, false);
      await change(set, canonical(before.data), tenantId);
      assert.equal((await world.rest('GET', '/ap2/evidence/verify')).body.valid, true);
      await change('DELETE FROM evidence WHERE tenant_id = ? AND seq = 6', tenantId);
      const dropped = await world.rest('GET', '/ap2/evidence/verify');
      assert.equal(dropped.body.brokenAtSeq, 7);
      assert.equal(dropped.body.reason, 'event 6 is missing');
    });
  });
}

const MINUTE_MS = 60_000;

for (const engine of everyEngine()) {
  test(`every event of a range of time is found on ${engine.name}, also where the clock was set back`, async () => {
    const world = await makeWorld(engine);
    try {
      // Back by more than a minute, by hours, and by less than the difference that nodes have.
      for (const aheadMinutes of [0, 5, 120, 119.5, -60, -3, 2, 118]) {
        world.clock.aheadMs = aheadMinutes * MINUTE_MS;
        for (let asked = 0; asked < 2; asked++) await world.rest('POST', '/ap2/intents', world.intentBody(5));
      }
      world.clock.aheadMs = 0;
      const { body } = await world.rest('GET', '/ap2/evidence/export');
      const times: number[] = body.events.map((event: Loose) => Date.parse(event.createdAt));
      for (const middle of new Set(times)) {
        const [from, to] = [middle - 5 * MINUTE_MS, middle + 5 * MINUTE_MS];
        const expected = body.events
          .filter((_event: Loose, index: number) => (times[index] ?? 0) >= from && (times[index] ?? 0) <= to)
          .map((event: Loose) => event.seq);
        const range = `from=${new Date(from).toISOString()}&to=${new Date(to).toISOString()}`;
        // A worker may have recorded that an intent expired since.
        const seqsIn = (events: Loose[]) => events.map(({ seq }) => seq).filter((seq) => seq <= body.toSeq);
        const searched = await world.rest('GET', `/ap2/evidence/search?limit=200&${range}`);
        assert.deepEqual(seqsIn(searched.body.data), expected.toReversed());
        const exported = await world.rest('GET', `/ap2/evidence/export?${range}`);
        assert.deepEqual(seqsIn(exported.body.events), expected);
      }
    } finally {
      await world.close();
    }
  });
}
