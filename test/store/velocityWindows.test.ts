/** Windows of intents: what is kept, and what is counted anew from the sums, agree with a plain sum of the intents. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { firstIdAt, idMaker } from '../../protocol/wire/id.ts';
import { insertIntent, settleIntent } from '../../src/store/statements/purchases/intents.ts';
import { POLICY_SCOPE } from '../../src/store/statements/purchases/spendingSums.ts';
import {
  adjustWindows,
  advanceWindow,
  deleteWindows,
  saveWindow,
  sumIntent,
} from '../../src/store/statements/purchases/velocityWindows.ts';
import { addMinor } from '../../src/store/statements/queries.ts';
import { run, type Script } from '../../src/store/store.ts';
import { dice } from '../support/dice.ts';
import { type Engine, engines } from '../support/engines.ts';

const TENANT = 'tnt_1';
const AGENTS = ['did:key:one', 'did:key:two'] as const;
const SCOPES = [...AGENTS, POLICY_SCOPE];
const SECOND = 1000;
const DAY = 24 * 3600 * SECOND;
const WINDOWS = [SECOND, 40 * SECOND, 300 * SECOND, 7200 * SECOND, 31 * DAY] as const;
const MOST = 10 ** 15 - 1;

interface Intent {
  readonly mandateId: string;
  readonly agentDid: string;
  readonly currency: string;
  readonly reserved: number;
}

/** A limit that holds: whose purchases it counts together, and over which window. */
interface Limit {
  readonly scope: 'agent' | 'policy';
  readonly windowMs: number;
}

/** A tenant whose agents buy, whose purchases change, and whose limit is changed; and the plain sums of what they bought. */
class Spending {
  readonly intents: Intent[] = [];
  limit: Limit = { scope: 'agent', windowMs: WINDOWS[1] };
  now = Date.UTC(2026, 5, 1);
  readonly #newId = idMaker(
    () => this.now,
    (size) => new Uint8Array(size),
  );

  *issue(agentDid: string, currency: string, reserved: number): Script<void> {
    const mandateId = this.#newId('intent_');
    const scope = this.limit.scope === 'policy' ? POLICY_SCOPE : agentDid;
    const use = yield* advanceWindow(TENANT, scope, this.limit.windowMs, this.now);
    yield* insertIntent({
      tenant_id: TENANT,
      mandate_id: mandateId,
      transaction_id: 'txn_1',
      context_id: null,
      agent_did: agentDid,
      principal_did: agentDid,
      status: 'ACTIVE',
      max_minor: reserved,
      reserved_minor: reserved,
      currency,
      merchant_domain: null,
      mcc: null,
      country: null,
      policy_id: 'pol_1',
      policy_version: 1,
      policy_hash: '',
      credential: '{}',
      created_at: this.now,
      expires_at: this.now,
    });
    yield* sumIntent(TENANT, { agentDid, mandateId, currency }, reserved);
    yield* saveWindow(TENANT, scope, this.limit.windowMs, {
      transactions: use.transactions + 1,
      amounts: { ...use.amounts, [currency]: addMinor(use.amounts[currency] ?? 0, reserved) },
      leftThrough: use.leftThrough,
    });
    this.intents.push({ mandateId, agentDid, currency, reserved });
  }

  *reserve(index: number, reserved: number): Script<void> {
    const before = this.intents[index] as Intent;
    yield* settleIntent(TENANT, before.mandateId, 'USED', reserved);
    yield* adjustWindows(TENANT, before, reserved - before.reserved);
    this.intents[index] = { ...before, reserved };
  }

  *change(limit: Limit): Script<void> {
    if (limit.scope !== this.limit.scope || limit.windowMs !== this.limit.windowMs) {
      yield* deleteWindows(TENANT, this.limit);
    }
    this.limit = limit;
  }

  *check(scope: string, windowMs: number, what: string): Script<void> {
    const from = firstIdAt('intent_', this.now - windowMs + 1);
    const counted = this.intents.filter(
      ({ mandateId, agentDid }) => (scope === POLICY_SCOPE || agentDid === scope) && mandateId >= from,
    );
    const use = yield* advanceWindow(TENANT, scope, windowMs, this.now);
    assert.equal(use.transactions, counted.length, what);
    for (const currency of ['USD', 'JPY']) {
      const sum = counted
        .filter((each) => each.currency === currency)
        .reduce((all, each) => all + BigInt(each.reserved), 0n);
      const most = BigInt(Number.MAX_SAFE_INTEGER);
      assert.equal(use.amounts[currency] ?? 0, Number(sum > most ? most : sum), what);
    }
  }
}

async function playOn(engine: Engine, check: (spending: Spending, step: Script<void>) => Promise<void>): Promise<void> {
  const { below } = dice(`intents in windows on ${engine.name}`);
  const pick = <Item>(items: readonly Item[]): Item => items[below(items.length)] as Item;
  const spending = new Spending();
  const waits = [50, 5 * SECOND, 40 * SECOND, 3600 * SECOND, 20 * DAY];
  for (let step = 0; step < 400; step += 1) {
    spending.now += below(pick(step % 20 === 0 ? waits : waits.slice(0, 3)) as number);
    const chance = below(100);
    const amount = below(50) === 0 ? MOST : below(100_000) + 1;
    if (chance < 50 || spending.intents.length === 0) {
      await check(spending, spending.issue(pick(AGENTS), pick(['USD', 'USD', 'JPY']), amount));
    } else if (chance < 65) {
      const lately = Math.min(spending.intents.length, 40);
      const index = spending.intents.length - 1 - below(lately);
      await check(spending, spending.reserve(index, below(3) === 0 ? 0 : amount));
    } else if (chance < 72) {
      await check(spending, spending.change({ scope: pick(['agent', 'policy'] as const), windowMs: pick(WINDOWS) }));
    }
    const what = `step ${step}`;
    await check(spending, spending.check(pick(SCOPES), pick(WINDOWS), what));
    const scope = spending.limit.scope === 'policy' ? POLICY_SCOPE : pick(AGENTS);
    await check(spending, spending.check(scope, spending.limit.windowMs, `${what}, the limit that holds`));
  }
}

for (const engine of engines()) {
  describe(`windows of intents on ${engine.name}`, () => {
    test('hold what a plain sum gives, whichever window is asked for, and after a change of the limit', async (t) => {
      const database = await engine.open();
      t.after(() => database.drop());
      await playOn(engine, (_spending, script) => database.store.write(TENANT, () => script));
    });

    test('are counted anew from sums: of the intents only those of the first half minute are read', async (t) => {
      const database = await engine.open();
      t.after(() => database.drop());
      const { store } = database;
      const spending = new Spending();
      for (let bought = 0; bought < 60; bought++) {
        spending.now += 20 * SECOND;
        await store.write(TENANT, () => spending.issue(AGENTS[0], 'USD', 100));
      }
      // What is not read is not missed.
      const later = firstIdAt('intent_', spending.now - 1100 * SECOND);
      await store.write(TENANT, () => run('DELETE FROM intents WHERE mandate_id >= ?', later));
      for (const scope of [AGENTS[0], POLICY_SCOPE]) {
        const use = await store.read(() => advanceWindow(TENANT, scope, 1190 * SECOND, spending.now));
        assert.equal(use.transactions, 60);
        assert.deepEqual(use.amounts, { USD: 6000 });
      }
    });
  });
}
