/** Use cases on a store in memory, without gates, workers and sockets: small tests of what handlers do. */
import { makeAgent } from '../../client/index.ts';
import { toBase64url } from '../../protocol/credential/encodings.ts';
import { type Caller, PERMISSIONS } from '../../src/access/caller.ts';
import { callerOf } from '../../src/core/callerOf.ts';
import { receiptKeyOf } from '../../src/crypto/receiptKey.ts';
import { bootstrap } from '../../src/domain/operator/bootstrap.ts';
import { allOperations, type OperationName } from '../../src/extensions/nodeOperations.ts';
import { readConfig } from '../../src/node/config/config.ts';
import { makeDeps } from '../../src/node/makeDeps.ts';
import { makeLogger } from '../../src/node/makeLogger.ts';
import type { Rail, RailOutcome, RailSnapshot } from '../../src/rails/rail.ts';
import { openStore } from '../../src/store/openStore.ts';
import type { Call } from '../../src/usecase/call.ts';
import type { Deps } from '../../src/usecase/deps.ts';
import { call, parseInput, type UseCase } from '../../src/usecase/useCase.ts';
import { EXTENSIONS } from './extensionsOn.ts';
import type { Loose } from './world.ts';

const START = Date.UTC(2026, 5, 1, 12);

/** What the use cases of a store in memory need, and a clock that stands still until a test moves it. */
export interface MemoryNode {
  readonly deps: Deps;
  readonly owner: Caller;
  readonly clock: { now: number };
  /** What the rail answers from now on, in place of the sandbox's own answers. */
  railAnswers(answer: (() => Promise<RailOutcome>) | undefined): void;
  /** What the rail shows of every payment from now on; a sandbox rail has nothing to show. */
  railShows(show: ((railId: string) => Promise<RailSnapshot | undefined>) | undefined): void;
  /** Runs a use case as the owner, or as another caller, and gives what it gave. */
  run(name: OperationName, input: object, caller?: Caller): Promise<Loose>;
  /** Runs a use case as a gate would, with an answer as JSON text. */
  runCall(name: OperationName, input: object, more?: Partial<Call>): Promise<string>;
  /** A new agent: its DID, and the caller it is once it has proven itself. */
  agent(): Promise<{ readonly did: string; readonly caller: Caller }>;
  /** Buys up to the approval. @returns the approval token */
  approve(agentDid: string, amount?: number): Promise<string>;
  /** Buys up to the authorization. @returns the payment mandate's id */
  pay(agentDid: string, amount?: number): Promise<string>;
  /** The types of the chain's events, oldest first. */
  events(): Promise<string[]>;
}

/** The store ends with the process. */
export async function memoryNode(env: Record<string, string> = {}): Promise<MemoryNode> {
  const clock = { now: START };
  const now = () => clock.now;
  const store = await openStore({ file: ':memory:', clock: now });
  const root = new Uint8Array(32).fill(7);
  const key = { seed: root, rotations: [] };
  const config = readConfig({ RAIL_TIMEOUT_SECONDS: '1', EXTENSIONS, ...env });
  const receiptKey = receiptKeyOf(toBase64url(root));
  const receiptKeys = { current: receiptKey, published: [receiptKey.jwk] };
  const parts = {
    logger: makeLogger('silent'),
    key,
    root,
    receiptKeys,
    store,
    baseUrl: 'http://localhost',
    clock: now,
  };
  const made = await makeDeps(config, parts);
  const [railId, sandbox] = [...made.rails][0] ?? ['CARD_RAIL', {} as NonNullable<ReturnType<typeof made.rails.get>>];
  let answer: (() => Promise<RailOutcome>) | undefined;
  const asked = (operation: 'authorize' | 'capture' | 'cancel' | 'refund') => (attemptKey: string, request: Loose) =>
    answer === undefined ? sandbox[operation](attemptKey, request) : answer();
  const rail: Rail = {
    ...sandbox,
    authorize: asked('authorize'),
    capture: asked('capture'),
    cancel: asked('cancel'),
    refund: asked('refund'),
  };
  const deps: Deps = { ...made, rails: new Map([...made.rails, [railId, rail]]) };
  const policy = { name: 'Test', rules: { version: '2.0', spend: { amount_cap: 1000, currency: 'USD' } } };
  const { tenantId, newKey } = await bootstrap(deps, {
    makeKey: deps.access.newApiKey,
    givenKey: undefined,
    invites: false,
    firstPolicy: policy,
  });
  const { id } = await callerOf(deps, { kind: 'apiKey', hash: deps.hashToken(String(newKey)) });
  const owner: Caller = { id, kind: 'apiKey', tenantId, permissions: new Set(PERMISSIONS) };

  const parsed = (name: OperationName, input: object) => parseInput((allOperations[name] as UseCase).input, input);
  const node: MemoryNode = {
    deps,
    owner,
    clock,
    railAnswers(given) {
      answer = given;
    },
    railShows(show) {
      Object.assign(rail, { snapshot: show });
    },
    run: async (name, input, caller = owner) =>
      call((allOperations[name] as UseCase).run, deps, caller, parsed(name, input)) as Loose,
    async runCall(name, input, more = {}) {
      const given: Call = { caller: owner, reply: { kind: 'json' }, ...more };
      return String((await (allOperations[name] as UseCase).run(deps, given, parsed(name, input))).text);
    },
    async agent() {
      const { did, publicKey } = makeAgent();
      await node.run('registerAgent', { name: 'Agent', publicKey });
      return { did, caller: { id: did, kind: 'did', tenantId, permissions: new Set(['write']), did } };
    },
    async approve(agentDid, amount = 10) {
      const request = { maxAmount: amount, currency: 'USD' };
      const { intentVc } = await node.run('issueIntent', { agentDid, principalDid: agentDid, request });
      const offer = { payerDid: agentDid, domain: 'shop.example', amount, currency: 'USD' };
      const { cartVc } = await node.run('demoCart', offer);
      return (await node.run('validateCart', { intentVc, cartVc })).approvalToken;
    },
    async pay(agentDid, amount) {
      const approvalToken = await node.approve(agentDid, amount);
      const { pmVc } = await node.run('mandatePayment', { approvalToken });
      return pmVc.credentialSubject.mandateId;
    },
    async events() {
      const { data } = await node.run('searchEvidence', { limit: 200 });
      return data.map((event: Loose) => event.eventType).reverse();
    },
  };
  return node;
}
