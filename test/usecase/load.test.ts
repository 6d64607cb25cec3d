/** What a purchase loads is what it uses: nothing is loaded in vain. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { allOperations, type OperationName } from '../../src/extensions/nodeOperations.ts';
import { firstStatements } from '../../src/store/pump.ts';
import {
  type Load,
  type Script,
  type Statement,
  type Store,
  statementsOf,
  type TimedScript,
} from '../../src/store/store.ts';
import type { Call } from '../../src/usecase/call.ts';
import type { Deps } from '../../src/usecase/deps.ts';
import { parseInput, type UseCase } from '../../src/usecase/useCase.ts';
import { memoryNode } from '../support/memoryNode.ts';
import type { Loose } from '../support/world.ts';

const keyOf = ({ sql, args }: Statement) => [sql.replace(/\s+/g, ' '), ...args].join(' ');

interface Noted {
  readonly loaded: string[];
  readonly inVain: string[];
}

/** A store that notes, for each of its commits, what was loaded, and what of it in vain. */
function watched(store: Store, noted: Noted): Store {
  const write = <T>(tenantId: string, script: TimedScript<T>, load?: Load): Promise<T> => {
    const asked = new Set<string>();
    const loaded = firstStatements(load).map(keyOf);
    return store.write(tenantId, function* (now): Script<T> {
      const inner = script(now);
      let step = inner.next();
      while (!step.done) {
        for (const statement of statementsOf(step.value)) {
          asked.add(keyOf(statement));
        }
        step = inner.next(yield step.value);
      }
      noted.loaded.push(...loaded);
      noted.inVain.push(...loaded.filter((each) => !asked.has(each)));
      return step.value;
    });
  };
  return Object.assign(Object.create(store), {
    write,
    read: store.read.bind(store),
    readApart: store.readApart.bind(store),
    stats: store.stats.bind(store),
  });
}

test('a purchase in a session uses everything that it loads', async () => {
  const node = await memoryNode();
  const { did, caller } = await node.agent();
  const limit = { max_transactions: 100, max_amount: 10_000, time_window: '1h' };
  const rules = {
    version: '2.0',
    spend: { amount_cap: 1000, currency: 'USD' },
    context: { geo: { deny: ['KP'] } },
    risk: { velocity_limit: limit },
  };
  await node.run('createPolicy', { name: 'Each rule', rules });
  await node.run('createSession', { contextId: 'ctx-1', agentDid: did, userDid: did });
  const noted: Noted = { loaded: [], inVain: [] };
  const deps: Deps = { ...node.deps, store: watched(node.deps.store, noted) };
  const ask = async (name: OperationName, input: object): Promise<Loose> => {
    const key = { tenantId: node.owner.tenantId, scope: name, key: name, hash: name, secret: false } as const;
    const idempotency = { ...key, reused: { code: 'CONFLICT', message: 'Used.' } } as const;
    const given: Call = { caller, reply: { kind: 'json' }, contextId: 'ctx-1', idempotency };
    const useCase = allOperations[name] as UseCase;
    const { text } = await useCase.run(deps, given, parseInput(useCase.input, input));
    return JSON.parse(String(text));
  };
  const request = { maxAmount: 20, currency: 'USD', vendorHints: { domain: 'shop.example' } };
  const { intentVc } = await ask('issueIntent', { agentDid: did, principalDid: did, request });
  const offer = { payerDid: did, domain: 'shop.example', amount: 10, currency: 'USD' };
  const { cartVc } = await node.run('demoCart', offer);
  const { approvalToken } = await ask('validateCart', { intentVc, cartVc });
  const { pmVc } = await ask('mandatePayment', { approvalToken });
  assert.ok(pmVc);
  assert.ok(noted.loaded.length > 20, String(noted.loaded.length));
  assert.deepEqual(noted.inVain, []);
});
