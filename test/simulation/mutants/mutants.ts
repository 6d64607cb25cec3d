/**
 * Known bugs, each a small exact edit of one file. `npm run simulate:mutants` plants them one at a time in a copy of the tree, and
 * the simulator has to find each: a bug that stays unseen shows an invariant that is missing, or an actor that never tries it.
 */
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the texts are pieces of programs.

import type { LEFT_OUT } from './calm.ts';
import { DISPUTE_MUTANTS } from './disputeMutants.ts';
import { GATE_MUTANTS } from './gateMutants.ts';
import { HTTP_MUTANTS } from './httpMutants.ts';
import { LIMIT_MUTANTS } from './limitMutants.ts';
import { MANDATE_MUTANTS } from './mandateMutants.ts';
import { PEOPLE_MUTANTS } from './peopleMutants.ts';
import { STATUS_MUTANTS } from './statusMutants.ts';

export interface Mutant {
  /** Few words, for the table. */
  readonly name: string;
  /** Where it shows: in worlds with all faults and buyers, or in ones of some actors alone (calm.ts). */
  readonly amid: keyof typeof LEFT_OUT;
  /** Where only nodes on that engine have it; SQLite unless given. */
  readonly engine?: 'postgres';
  /** What it breaks, in one sentence. */
  readonly breaks: string;
  /** From the root of the project. */
  readonly file: string;
  /** Occurs exactly once in the file. */
  readonly before: string;
  readonly after: string;
}

export const MUTANTS: readonly Mutant[] = [
  {
    name: 'payments are not counted',
    amid: 'tricks',
    breaks: 'The windows of payments are not looked at, so that intents of several windows are paid in one.',
    file: 'src/domain/policies/loadFacts.ts',
    before: 'windowsOf(policy, buyer, now), useByPayments);',
    after:
      'windowsOf(policy, buyer, now), function* () {\n    return { transactions: 0, counts: {}, amounts: {} };\n  });',
  },
  {
    name: 'token not consumed',
    amid: 'tricks',
    breaks: 'The commit of a payment uses up neither its approval token nor its intent, so that it is paid twice.',
    file: 'src/domain/payments/openPayment.ts',
    before:
      "  yield* markApprovalTokenUsed(approval.token_hash);\n  yield* settleIntent(intent.tenant_id, intent.mandate_id, 'USED', approval.amount_minor);\n",
    after: '',
  },
  {
    name: 'outbox row forgotten',
    amid: 'faults',
    breaks: 'What the node records by itself, such as a capture, gets no row in the outbox of webhooks.',
    file: 'src/domain/evidence/recordEvent.ts',
    before: '  yield* emitWebhooks(deps, tenantId, record, version, now);',
    after: '  if (event.actorDid !== deps.issuer.did) yield* emitWebhooks(deps, tenantId, record, version, now);',
  },
  {
    name: 'answer before COMMIT',
    amid: 'faults',
    breaks: 'A script’s caller is answered when its statements have run, before they are committed and on disk.',
    file: 'src/store/sqlite/sqliteGroup.ts',
    before: '    outcomes.push(outcome);\n',
    after: '    if (outcome.ok) queued.resolve(outcome.given);\n    outcomes.push(outcome);\n',
  },
  {
    name: 'revocation ignored',
    amid: 'tricks',
    breaks: 'A decision does not ask whether the agent was revoked since its request was let in.',
    file: 'protocol/agent.ts',
    before: "  if (status === 'REVOKED')\n",
    after: "  if (status === ('NEVER' as string))\n",
  },
  {
    name: 'suspended agent’s token honoured',
    amid: 'tricks',
    breaks: 'The payment does not ask whether the agent was suspended since its cart was validated.',
    file: 'protocol/payment.ts',
    before: '    ...refuseParties(facts),\n',
    after: "    ...refuseParties({ ...facts, agentStatus: 'ACTIVE' }),\n",
  },
  {
    name: 'policy change unseen by another node',
    amid: 'faults',
    breaks:
      'A commit does not drop cached rows that another process has changed since, so that it judges by a former policy.',
    file: 'src/store/sqlite/sqliteGroup.ts',
    before: '  connection.dropCacheIfChanged();\n',
    after: '',
  },
  {
    name: 'cache kept over a rollback',
    amid: 'faults',
    breaks:
      'Rows that were cached in a transaction stay cached when it is rolled back, the head of the chain among them.',
    file: 'src/store/sqlite/sqliteConnection.ts',
    before: "    if (sql.startsWith('ROLLBACK')) this.#cache.drop();\n",
    after: '',
  },
  {
    name: 'resent under a new key',
    amid: 'faults',
    breaks: 'An attempt that had no answer is sent to the rail again under another attempt key.',
    file: 'src/domain/payments/askRail.ts',
    before: 'await rail[operation](key, asked)',
    after: 'await rail[operation](row.tries === 0 ? key : `${key}-${row.tries}`, asked)',
  },
  {
    name: 'lease without an end',
    amid: 'faults',
    breaks: 'A node that dies keeps its claim on an attempt at the rail, which no other node takes over.',
    file: 'src/store/statements/purchases/railAttempts.ts',
    before: "WHERE state = 'OPEN' AND (next_at <= ? OR ${ofGoneNode('node_id')})",
    after: "WHERE state = 'OPEN' AND (next_at <= ? AND NOT ${ofGoneNode('node_id')})",
  },
  {
    name: 'checkpoint one event short',
    amid: 'faults',
    breaks: 'A checkpoint says the length of the chain, and signs the root without the last event.',
    file: 'src/domain/checkpoints/makeCheckpoint.ts',
    before: '  const root = rootOf(deps.suite, size, yield* loadTree(deps, tenantId, size, []));',
    after:
      '  const root = rootOf(deps.suite, Math.max(size - 1, 1), yield* loadTree(deps, tenantId, Math.max(size - 1, 1), []));',
  },
  {
    name: 'hold kept at a decline',
    amid: 'faults',
    breaks: 'A payment that the rail declined goes on to count against the limits.',
    file: 'src/domain/payments/recordOutcome.ts',
    before: 'isVoid ? yield* releaseReservation(payment) : undefined',
    after: "status === 'CANCELED' ? yield* releaseReservation(payment) : undefined",
  },
  {
    name: 'sums kept at a cancel',
    amid: 'faults',
    breaks: 'A payment that was cancelled goes on to count in the windows of payments.',
    file: 'src/store/statements/limits/limitBuckets.ts',
    before: "  return status !== 'FAILED' && status !== 'CANCELED';",
    after: "  return status !== 'FAILED';",
  },
  {
    name: 'refund beyond what was captured',
    amid: 'tricks',
    breaks: 'A refund may be as large as the authorization, also where less was captured or some was given back.',
    file: 'src/operations/payments/operatePayment.ts',
    before: '  most: (payment) => payment.captured_minor - payment.refunded_minor,',
    after: '  most: (payment) => payment.amount_minor,',
  },
  {
    name: 'expired intent accepted',
    amid: 'tricks',
    breaks: 'A cart or payment of an intent whose time is over is not refused.',
    file: 'protocol/cart.ts',
    before: "  if (status === 'EXPIRED') return",
    after: "  if (status === ('NEVER' as string)) return",
  },
  {
    name: 'expired token accepted',
    amid: 'tricks',
    breaks: 'An approval token buys after its time is over.',
    file: 'protocol/payment.ts',
    before: '  if (facts.approvalExpired) {',
    after: '  if (facts.approvalExpired && facts.cartExpired) {',
  },
  {
    name: 'another agent’s presence proof',
    amid: 'tricks',
    breaks: 'A presence proof of one agent’s person counts for the cart of another agent.',
    file: 'protocol/presence.ts',
    before: "  if (proof.agentDid !== expected.agentDid) return 'The presence proof was made for another agent.';\n",
    after: '',
  },
  {
    name: 'a person not asked',
    amid: 'tricks',
    breaks: 'A payment goes through without the person that the policy of that moment wants.',
    file: 'protocol/cart.ts',
    before: '  if (causes.length === 0 || details.AMOUNT_OVER_CAP !== undefined) return {};',
    after: '  if (causes.length < 2 || details.AMOUNT_OVER_CAP !== undefined) return {};',
  },
  {
    name: 'executed again under the same key',
    amid: 'tricks',
    breaks: 'A request that comes again under its key is executed again in place of getting its stored answer.',
    file: 'src/usecase/idempotency.ts',
    before: '  if (row === undefined || row.created_at <= now - REQUEST_SECONDS * 1000) return undefined;',
    after: "  if (row === undefined || row.state !== 'OPEN' || now < 0) return undefined;",
  },
  {
    name: 'another caller’s key answered',
    amid: 'tricks',
    breaks:
      'Idempotency keys belong to no caller, so that a caller gets what another one was answered under the same key.',
    file: 'src/core/takeRequest.ts',
    before: '    scope: `rest ${id} ${route}`,',
    after: '    scope: `rest ${id.length > 0} ${route}`,',
  },
  {
    name: 'no answer taken for a decline',
    amid: 'faults',
    breaks: 'A rail that does not answer in time is taken to have declined.',
    file: 'src/domain/payments/askRail.ts',
    before: "      resolve({ kind: 'unknown', reason });",
    after: "      resolve({ kind: 'declined', code: 'timeout', message: reason } as never);",
  },
  {
    name: 'recovery creates in place of asking',
    amid: 'faults',
    breaks: 'An attempt that stays without an answer is made anew at the rail, where it should be looked up.',
    file: 'src/domain/payments/askRail.ts',
    before: 'await rail.status(attempt, signal())',
    after: 'await rail[operation](`${attempt.key}-again-${signal().aborted}`, request)',
  },
  {
    name: 'notice applied twice',
    amid: 'faults',
    breaks: 'A refund that the rail’s notice told of already is counted once more with the answer.',
    file: 'src/domain/payments/recordOutcome.ts',
    before: 'outcome.refundedMinor ?? payment.refunded_minor + request.amountMinor',
    after: 'payment.refunded_minor + request.amountMinor',
  },
  {
    name: 'delivered before the answer',
    amid: 'faults',
    breaks: 'A webhook is noted as delivered before its receiver’s answer is looked at.',
    file: 'src/webhooks/postEvent.ts',
    before: '  const ok = failure === undefined && status >= 200 && status < 300;',
    after: '  const ok = failure === undefined || status === 0;',
  },
  {
    name: 'a seventh attempt',
    amid: 'faults',
    breaks: 'A delivery is tried seven times before it has failed.',
    file: 'src/webhooks/recordAttempts.ts',
    before: "  const state = made >= most || outcome.end === 'closed' ? 'FAILED' : 'PENDING';",
    after: "  const state = made > most || outcome.end === 'closed' ? 'FAILED' : 'PENDING';",
  },
  {
    name: 'only five attempts',
    amid: 'faults',
    breaks: 'A delivery has failed after five attempts.',
    file: 'src/webhooks/recordAttempts.ts',
    before: '  const made = attempts + 1;',
    after: '  const made = attempts + (attempts === 4 ? 2 : 1);',
  },
  {
    name: 'evidence outside of the commit',
    amid: 'faults',
    breaks: 'The event of an intent is written in a commit of its own, so that a crash between them loses it.',
    file: 'src/domain/intents/judgeIntent.ts',
    before: '  const verdict = yield* recordVerdict(deps, tenantId, event, formats, intent.created_at);',
    after:
      '  const verdict = undefined;\n  void deps.store.write(tenantId, () => recordVerdict(deps, tenantId, event, formats, intent.created_at)).catch(() => {});',
  },
  {
    name: 'agent’s own limit ignored',
    amid: 'tricks',
    breaks: 'A limit that the owner set for one agent does not hold.',
    file: 'protocol/policy/values/spendingLimit.ts',
    before: '    ...(hasOwnVelocity ? [{ ...ownVelocity(own), isOwn: true as const }] : []),\n',
    after: '    ...(hasOwnVelocity && own === undefined ? [ownVelocity(own)] : []),\n',
  },
  {
    name: 'cap compared in whole units',
    amid: 'tricks',
    breaks: 'An amount is compared with the cap without its cents.',
    file: 'protocol/policy/rules/amountCap.ts',
    before: '  return amountMinor > hardMinor ? overLimit(',
    after: '  return Math.floor(amountMinor / 100) > Math.floor(hardMinor / 100) ? overLimit(',
  },
  {
    name: 'one purchase too many',
    amid: 'tricks',
    breaks: 'A window takes one purchase more than its limit says.',
    file: 'protocol/policy/limitUse.ts',
    before: '      const isPassed = requested > maxTransactions;\n',
    after: '      const isPassed = requested > maxTransactions + 1;\n',
  },
  {
    name: 'cart’s total unchecked',
    amid: 'tricks',
    breaks: 'A cart is taken at the total it says, also where its items add up to another one.',
    file: 'protocol/cart.ts',
    before: '  if (sum !== BigInt(total)) {',
    after: '  if (sum < 0n) {',
  },
  {
    name: 'cart above its intent',
    amid: 'tricks',
    breaks: 'A cart may come to more than its intent allows.',
    file: 'protocol/cart.ts',
    before: '  } else if (cart.totalMinor > intent.maxMinor) {',
    after: '  } else if (cart.totalMinor > intent.maxMinor * 100) {',
  },
  {
    name: 'two tokens for one intent',
    amid: 'tricks',
    breaks: 'A cart that is validated again does not void the token of the former validation.',
    file: 'src/domain/carts/approveCart.ts',
    before: '  if (loaded.hasLiveToken) yield* voidApprovalTokens(tenantId, intent.mandate_id);\n',
    after: '',
  },
  {
    name: 'delegation ignored',
    amid: 'tricks',
    breaks: 'A principal’s money is spent by agents that it has not delegated to.',
    file: 'protocol/policy/evaluate.ts',
    before: '...(principal.delegated ? {}',
    after: '...(principal.delegated || principal.delegated === false ? {}',
  },
  {
    name: 'answer before COMMIT on PostgreSQL',
    amid: 'faults',
    engine: 'postgres',
    breaks: 'A script’s caller is answered when its statements have run, before the transaction is committed.',
    file: 'src/store/postgres/postgresGroup.ts',
    before: '      settle.push(() => queued.resolve(value));',
    after: '      queued.resolve(value);',
  },
  {
    name: 'unknown outcome tried again on PostgreSQL',
    amid: 'faults',
    engine: 'postgres',
    breaks: 'A transaction whose connection was lost at its COMMIT is run once more, though it may be committed.',
    file: 'src/store/postgres/postgresRetry.ts',
    before: 'if (atCommit && isConnectionLoss(cause)) throw outcomeUnknown(cause);',
    after: 'if (atCommit && attempt > MAX_ATTEMPTS) throw outcomeUnknown(cause);',
  },
  ...LIMIT_MUTANTS,
  ...PEOPLE_MUTANTS,
  ...STATUS_MUTANTS,
  ...MANDATE_MUTANTS,
  ...GATE_MUTANTS,
  ...DISPUTE_MUTANTS,
  ...HTTP_MUTANTS,
];
