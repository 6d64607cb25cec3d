/** Windows of intents: what is kept, and what is counted anew from the sums, agree with a plain sum of the intents. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { firstIdAt, idMaker } from '../../protocol/wire/id.ts';
import { insertIntent, settleIntent } from '../../src/store/statements/purchases/intents.ts';
import { POLICY_SCOPE } from '../../src/store/statements/purchases/spendingSums.ts';
import {
  adjustWindows,
  countInWindow,
  deleteWindows,
  sumIntent,
  type WindowUse,
} from '../../src/store/statements/purchases/velocityWindows.ts';
import { type Result, run, type Script, type Step } from '../../src/store/store.ts';
import { dice } from '../support/dice.ts';
import { type Engine, engines } from '../support/engines.ts';
import { useOf } from '../support/windowUse.ts';

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
  readonly tenant: string;
  /** How far the clock that ids are made by is behind: that of another node. */
  behind = 0;
  readonly #newId = idMaker(
    () => this.now - this.behind,
    (size) => new Uint8Array(size),
  );

  constructor(tenant = TENANT) {
    this.tenant = tenant;
  }

  *issue(agentDid: string, currency: string, reserved: number): Script<void> {
    const mandateId = this.#newId('intent_');
    const scope = this.limit.scope === 'policy' ? POLICY_SCOPE : agentDid;
    const use = yield* useOf(this.tenant, scope, this.limit.windowMs, this.now);
    yield* insertIntent({
      tenant_id: this.tenant,
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
      shopping: null,
    });
    yield* sumIntent(this.tenant, { agentDid, mandateId, currency }, reserved);
    const window = { scope, windowMs: this.limit.windowMs, use };
    yield* countInWindow(this.tenant, window, { agentDid, mandateId, currency }, reserved);
    this.intents.push({ mandateId, agentDid, currency, reserved });
  }

  *reserve(index: number, reserved: number): Script<void> {
    const before = this.intents[index] as Intent;
    yield* settleIntent(this.tenant, before.mandateId, 'USED', reserved);
    yield* adjustWindows(this.tenant, before, reserved - before.reserved);
    this.intents[index] = { ...before, reserved };
  }

  *change(limit: Limit): Script<void> {
    if (limit.scope !== this.limit.scope || limit.windowMs !== this.limit.windowMs) {
      yield* deleteWindows(this.tenant, this.limit);
    }
    this.limit = limit;
  }

  *check(scope: string, windowMs: number, what: string): Script<void> {
    const from = firstIdAt('intent_', this.now - windowMs + 1);
    const counted = this.intents.filter(
      ({ mandateId, agentDid }) => (scope === POLICY_SCOPE || agentDid === scope) && mandateId >= from,
    );
    const use = yield* useOf(this.tenant, scope, windowMs, this.now);
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
    spending.behind = below(4) === 0 ? below(400) : 0;
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

/** How many intents a script found, and by how many statements. */
function* counted(script: Script<WindowUse>): Generator<Step, { transactions: number; statements: number }, Result> {
  let statements = 0;
  let step = script.next();
  for (; !step.done; statements++) step = script.next(yield step.value);
  return { transactions: step.value.transactions, statements };
}

for (const engine of engines()) {
  describe(`windows of intents on ${engine.name}`, () => {
    test('hold what a plain sum gives, whichever window is asked for, and after a change of the limit', async (t) => {
      const database = await engine.open();
      t.after(() => database.drop());
      await playOn(engine, (_spending, script) => database.store.write(TENANT, () => script));
    });

    test('hold the same whether or not the oldest in them is known, also by a clock that is set back', async (t) => {
      const database = await engine.open();
      t.after(() => database.drop());
      const { store } = database;
      const { below } = dice(`the oldest in windows on ${engine.name}`);
      const pick = <Item>(items: readonly Item[]): Item => items[below(items.length)] as Item;
      const both = [new Spending('tnt_known'), new Spending('tnt_unknown')] as const;
      const inBoth = (script: (spending: Spending) => Script<unknown>) =>
        store.write(TENANT, function* () {
          const [one, other] = [yield* script(both[0]), yield* script(both[1])];
          yield* run('UPDATE velocity_windows SET oldest = NULL WHERE tenant_id = ?', both[1].tenant);
          return [one, other];
        });
      for (let step = 0; step < 250; step += 1) {
        const moved =
          below(10) === 0 ? -below(pick([500, 50 * SECOND, 9000 * SECOND])) : below(pick([50, 9, 70]) * SECOND);
        const behind = below(4) === 0 ? below(2 * SECOND) : 0;
        for (const each of both) Object.assign(each, { now: each.now + moved, behind });
        const [chance, agentDid, amount] = [below(100), pick(AGENTS), below(40) === 0 ? MOST : below(100_000) + 1];
        const lately = below(Math.min(both[0].intents.length, 20) + 1);
        const limit = { scope: pick(['agent', 'policy'] as const), windowMs: pick(WINDOWS) };
        if (chance < 50) await inBoth((spending) => spending.issue(agentDid, 'USD', amount));
        else if (chance < 70 && lately > 0) {
          await inBoth((spending) => spending.reserve(spending.intents.length - lately, chance % 2 === 0 ? amount : 0));
        } else if (chance < 75) await inBoth((spending) => spending.change(limit));
        else if (chance < 80) {
          await inBoth(({ tenant }) => run('DELETE FROM velocity_windows WHERE tenant_id = ?', tenant));
        }
        const [known, unknown] = await inBoth(function* ({ tenant, limit: { windowMs }, now }) {
          const uses: unknown[] = [];
          for (const scope of SCOPES) {
            uses.push({ ...(yield* useOf(tenant, scope, windowMs, now)), oldest: undefined });
          }
          return uses;
        });
        assert.deepEqual(known, unknown, `step ${step}`);
      }
    });

    test('are asked for what has left only once something has', async (t) => {
      const database = await engine.open();
      t.after(() => database.drop());
      const { store } = database;
      const spending = new Spending();
      const windowMs = 100 * SECOND;
      spending.limit = { scope: 'agent', windowMs };
      const issue = () => store.write(TENANT, () => spending.issue(AGENTS[0], 'USD', 100));
      const use = () => store.read(() => counted(useOf(TENANT, AGENTS[0], windowMs, spending.now)));
      await issue();
      const started = spending.now;
      for (let bought = 0; bought < 9; bought++) {
        spending.now += 10 * SECOND;
        await issue();
      }
      assert.deepEqual(await use(), { transactions: 10, statements: 1 });
      spending.now = started + windowMs - 1;
      assert.deepEqual(await use(), { transactions: 10, statements: 1 });
      spending.now += 1;
      assert.deepEqual(await use(), { transactions: 9, statements: 2 });
      await issue();
      assert.deepEqual(await use(), { transactions: 10, statements: 1 });
      spending.now += 10 * SECOND;
      assert.deepEqual(await use(), { transactions: 9, statements: 2 });
      // All have left: once that is saved, there is nothing to ask for.
      spending.now += 150 * SECOND;
      assert.equal((await use()).transactions, 0);
      await issue();
      assert.deepEqual(await use(), { transactions: 1, statements: 1 });
      await store.write(TENANT, () => run('UPDATE velocity_windows SET oldest = NULL'));
      spending.now += SECOND;
      assert.deepEqual(await use(), { transactions: 1, statements: 2 });
      await issue();
      assert.deepEqual(await use(), { transactions: 2, statements: 1 });
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
        const use = await store.read(() => useOf(TENANT, scope, 1190 * SECOND, spending.now));
        assert.equal(use.transactions, 60);
        assert.deepEqual(use.amounts, { USD: 6000 });
      }
    });
  });
}
