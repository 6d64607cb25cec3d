/** What needs a person now. Pages ask for it at each change, so that each part is found by an index and is of a few rows. */
import { z } from 'zod';
import { formatMoney } from '../../../protocol/money.ts';
import { Attention, type AttentionItem, type AttentionKind } from '../../../protocol/overview/needsPerson.ts';
import { failingBefore } from '../../../protocol/webhook/subscription.ts';
import { compact } from '../../../protocol/wire/compact.ts';
import { isoTime } from '../../../protocol/wire/time.ts';
import type { Caller } from '../../access/caller.ts';
import { isForOthers, mayApproveEach } from '../../domain/approvals/mayApprove.ts';
import { showApproval } from '../../domain/approvals/requestApproval.ts';
import { oldBackup } from '../../domain/checks/oldBackup.ts';
import { findTenant } from '../../store/statements/node/tenants.ts';
import { countPendingApprovals, listApprovalRequests } from '../../store/statements/people/approvals.ts';
import { countOpenDisputes, listOpenDisputes } from '../../store/statements/purchases/disputes.ts';
import {
  countUndecidedPayments,
  listFlaggedPayments,
  listUnansweredPayments,
  type PaymentRow,
} from '../../store/statements/purchases/payments.ts';
import { countAgents, findAgent, listAgents } from '../../store/statements/registry/agents.ts';
import { listFailingOf } from '../../store/statements/webhooks/subscriptions.ts';
import type { Script } from '../../store/store.ts';
import type { Deps } from '../../usecase/deps.ts';
import { inOneRead, useCase } from '../../usecase/useCase.ts';

/** Items of one kind. */
const MOST_ITEMS = 20;
const MOST_COUNTED = 1000;
/** Approvals that are looked through for a person. */
const MOST_OF_PERSON = 200;

/** What there is of one kind, and how many in all. */
interface Part {
  readonly kind: AttentionKind;
  readonly items: readonly Omit<AttentionItem, 'kind'>[];
  readonly count: number;
}

const NoInput = z.object({});

export const showAttention = useCase({
  summary:
    'Shows what needs a person: approvals, payments without an outcome, disputes, and what is wrong with the node.',
  input: NoInput,
  output: Attention,
  permission: 'read',
  run: inOneRead<z.output<typeof NoInput>, Attention>(function* (
    deps: Pick<Deps, 'data' | 'evidence' | 'operations' | 'people' | 'policies' | 'sealer' | 'settings'>,
    caller,
    _input,
    now,
  ) {
    const { tenantId, permissions } = caller;
    // In the order in which they are urgent.
    const parts = [
      yield* approvalsOf(deps, caller, now),
      yield* paymentsOf(tenantId),
      yield* disputesOf(tenantId),
      yield* toolsOf(deps, tenantId),
      nodeOf(deps, tenantId),
      yield* webhooksOf(tenantId, permissions.has('admin'), now),
      yield* silenceOf(deps, caller, now),
      yield* agentsOf(tenantId),
      yield* backupOf(deps, tenantId, now),
    ];
    const counts = Object.fromEntries(parts.map(({ kind, count }) => [kind, count])) as Attention['counts'];
    return { items: parts.flatMap(({ kind, items }) => items.map((item) => ({ kind, ...item }))), counts };
  }),
});

/** What others alone can approve is for them: a person is shown what they may decide themselves. */
function* approvalsOf(deps: Pick<Deps, 'people' | 'policies' | 'settings'>, caller: Caller, now: number): Script<Part> {
  const { tenantId, userId } = caller;
  const filter = { status: 'pending', agentDid: undefined, merchant: undefined, now } as const;
  const most = userId === undefined ? MOST_ITEMS : MOST_OF_PERSON;
  const { rows } = yield* listApprovalRequests(tenantId, filter, undefined, most);
  const standings = yield* mayApproveEach(deps, caller, rows, now);
  const own = rows.filter((_row, index) => !isForOthers(standings[index]));
  const items = [];
  for (const row of own.slice(0, MOST_ITEMS).toSorted((one, other) => one.expires_at - other.expires_at)) {
    const agent = yield* findAgent(tenantId, row.agent_did);
    const message = `${agent?.display_name ?? row.agent_did} asks for ${formatMoney(row.amount_minor, row.currency)} at ${row.merchant}.`;
    const { url } = showApproval(deps, row, now);
    const times = { since: isoTime(row.created_at), until: isoTime(row.expires_at) };
    items.push(compact({ message, ...times, approvalId: row.id, agentDid: row.agent_did, url }));
  }
  const isAll = userId === undefined;
  return {
    kind: 'approval',
    items,
    count: isAll ? yield* countPendingApprovals(tenantId, now, MOST_COUNTED) : own.length,
  };
}

function* paymentsOf(tenantId: string): Script<Part> {
  const flagged = yield* listFlaggedPayments(tenantId, MOST_ITEMS);
  const unanswered = yield* listUnansweredPayments(tenantId, MOST_ITEMS);
  const items = [
    ...flagged.map((row) => about(row, `${of(row)} is for a person: ${row.attention}`, row.attention_at)),
    ...unanswered.map((row) => about(row, `${of(row)} has no answer of its rail yet.`, row.created_at)),
  ];
  const count = yield* countUndecidedPayments(tenantId, MOST_COUNTED);
  return { kind: 'payment', items: items.slice(0, MOST_ITEMS), count };
}

function* disputesOf(tenantId: string): Script<Part> {
  const rows = yield* listOpenDisputes(tenantId, MOST_ITEMS);
  const items = rows.map((row) => {
    const money = formatMoney(row.amount_minor, row.currency);
    const rest = row.status === 'needs_response' ? 'is not answered yet' : 'is with the bank';
    return compact({
      message: `A dispute of ${money} about a payment to ${row.merchant} ${rest}.`,
      since: isoTime(row.opened_at),
      dueBy: isoTime(row.due_by),
      disputeId: row.id,
      mandateId: row.mandate_id,
      agentDid: row.agent_did,
    });
  });
  return { kind: 'dispute', items, count: yield* countOpenDisputes(tenantId, MOST_COUNTED) };
}

function* toolsOf({ operations }: Pick<Deps, 'operations'>, tenantId: string): Script<Part> {
  const found = [];
  for (const list of operations.hooks.waitingTools) found.push(yield* list(tenantId, MOST_ITEMS));
  const items = found.flatMap(({ items: some }) => some).slice(0, MOST_ITEMS);
  return { kind: 'tools', items, count: found.reduce((sum, { count }) => sum + count, 0) };
}

function of({ amount_minor: amount, currency, merchant }: PaymentRow): string {
  return `The payment of ${formatMoney(amount, currency)} to ${merchant}`;
}

function about(row: PaymentRow, message: string, since: number | null) {
  return compact({ message, since: isoTime(since), mandateId: row.mandate_id, agentDid: row.agent_did });
}

/** What the node has found wrong with itself. */
function nodeOf(
  {
    data: { file: storeFile },
    evidence: { checkpoints },
    operations: { watches },
  }: Pick<Deps, 'data' | 'evidence' | 'operations'>,
  tenantId: string,
): Part {
  const { damage } = storeFile;
  const chain = checkpoints.faults.get(tenantId);
  const messages = [
    ...(damage === undefined
      ? []
      : [
          `The database (countersign.db) is damaged: ${damage}. Stop the node, then: countersign restore FILE, with the newest backup.`,
        ]),
    ...(chain === undefined ? [] : [`${chain} The node signs no checkpoint until they agree.`]),
    ...watches.flatMap((watch) => watch.alarms(tenantId)),
  ];
  return { kind: 'node', items: messages.map((message) => ({ message })), count: messages.length };
}

/** A tenant has a bounded number of them. */
function* webhooksOf(tenantId: string, isAdmin: boolean, now: number): Script<Part> {
  const rows = yield* listFailingOf(tenantId, failingBefore(now), MOST_COUNTED);
  const items = rows.slice(0, MOST_ITEMS).map((row) => ({
    // The address of an endpoint is often a secret in itself.
    message: `Nothing has reached ${isAdmin ? row.url : new URL(row.url).host}.`,
    ...compact({ since: isoTime(row.failing_since) }),
    webhookId: row.id,
  }));
  return { kind: 'webhook', items, count: rows.length };
}

/** Of the person who asks: no other one can mend it. */
function* silenceOf(
  deps: Pick<Deps, 'operations' | 'sealer'>,
  { tenantId, userId }: Caller,
  now: number,
): Script<Part> {
  const items: Omit<AttentionItem, 'kind'>[] = [];
  if (userId !== undefined) {
    for (const list of deps.operations.hooks.silenceOf) items.push(...(yield* list(deps, { tenantId, userId }, now)));
  }
  return { kind: 'notifications', items: items.slice(0, MOST_ITEMS), count: items.length };
}

function* agentsOf(tenantId: string): Script<Part> {
  const rows = yield* listAgents(tenantId, { status: 'SUSPENDED' }, undefined, MOST_ITEMS);
  const items = rows.map(({ did, display_name: name, reason }) => ({
    message: `${name} is frozen${reason === null ? '' : `: ${reason}`}`.replace(/\.?$/, '.'),
    agentDid: did,
  }));
  return { kind: 'agent', items, count: yield* countAgents(tenantId, 'SUSPENDED', MOST_COUNTED) };
}

function* backupOf({ data: { backups } }: Pick<Deps, 'data'>, tenantId: string, now: number): Script<Part> {
  if (backups === undefined) return { kind: 'backup', items: [], count: 0 };
  const last = backups.lastAt();
  const begun = (yield* findTenant(tenantId))?.created_at ?? now;
  const old = oldBackup(last, begun, now);
  if (old === undefined) return { kind: 'backup', items: [], count: 0 };
  const message = `${old} Make one: countersign backup FILE`;
  return { kind: 'backup', items: [{ message, since: isoTime(last ?? begun) }], count: 1 };
}
