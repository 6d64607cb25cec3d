/** Approvals over the API: an agent waits for one, an operator lists and denies them. */

import { z } from 'zod';
import {
  Approval,
  type ApprovalPeople,
  ApprovalState,
  type ApprovalStatus,
  approvalStatusAt,
  DenyApproval,
  GetApproval,
  ListApprovals,
  RemindApprovers,
} from '../../../protocol/approval.ts';
import { compact } from '../../../protocol/wire/compact.ts';
import { Fault } from '../../../protocol/wire/fault.ts';
import { type Page, pageOf } from '../../../protocol/wire/page.ts';
import { actsFor, type Caller, requirePermission } from '../../access/caller.ts';
import { type ApprovalDecisionDeps, decisionsOf } from '../../domain/approvals/approvalDecisions.ts';
import { type ApprovalRight, mayApprove, mayApproveEach } from '../../domain/approvals/mayApprove.ts';
import { peopleOf } from '../../domain/approvals/quorum.ts';
import { denierOf, remindOfApproval, settleApproval, showApproval } from '../../domain/approvals/requestApproval.ts';
import {
  type ApprovalRequestRow,
  findApprovalRequest,
  findApprovalStanding,
  listApprovalRequests,
} from '../../store/statements/people/approvals.ts';
import { type Script, together } from '../../store/store.ts';
import type { Deps } from '../../usecase/deps.ts';
import { holdPoll } from '../../usecase/holdPoll.ts';
import { byAgent, readPage } from '../../usecase/list/listing.ts';
import { lookUntil } from '../../usecase/lookUntil.ts';
import { requireStanding } from '../../usecase/standing.ts';
import { inOneCommit, inOneRead, inSteps, useCase } from '../../usecase/useCase.ts';

export const getApproval = useCase({
  summary: 'Shows the state of an approval, at once or when it is decided; once approved, with the proof.',
  input: GetApproval,
  output: ApprovalState,
  permission: 'any',
  faults: ['NOT_FOUND'],
  run: inSteps<GetApproval, ApprovalState>(
    (
      deps: ApprovalDecisionDeps & Pick<Deps, 'memory' | 'people' | 'policies' | 'stopping' | 'store'>,
      caller,
      { id, wait, include },
    ) =>
      holdPoll(deps, id, wait, async (seconds) => {
        const show = () => deps.store.read((now) => loadState(deps, caller, { id, wait, include }, now));
        const first = await show();
        if (seconds === 0 || first.status !== 'pending') return first;
        await lookUntil(
          deps,
          seconds,
          (now) => statusOf(id, now),
          (status) => status !== 'pending',
        );
        return show();
      }),
  ),
});

function* loadState(
  deps: ApprovalDecisionDeps & Pick<Deps, 'people' | 'policies'>,
  caller: Caller,
  { id, wait, include }: GetApproval,
  now: number,
): Script<ApprovalState> {
  if (include !== undefined) requirePermission(caller, 'read');
  const request = yield* loadOwn(caller, id);
  // Who was let out while they waited is told nothing of what was decided.
  if (wait > 0 && request.status !== 'pending') yield* requireStanding(caller, now);
  const standing = yield* mayApprove(deps, caller, request, now);
  const state = showState(deps, { request, standing, people: yield* peopleOf(deps, request) }, now);
  return include === undefined ? state : { ...state, ...(yield* loadDecision(deps, request, now)) };
}

function* loadDecision(
  deps: ApprovalDecisionDeps,
  request: ApprovalRequestRow,
  now: number,
): Script<Pick<ApprovalState, 'decision' | 'decisions'>> {
  const decisions = yield* decisionsOf(deps, request, now);
  return compact({ decision: decisions.at(-1), decisions: decisions.length > 1 ? [...decisions] : undefined });
}

/** @returns undefined where the request is there no more */
function* statusOf(id: string, now: number): Script<ApprovalStatus | undefined> {
  const standing = yield* findApprovalStanding(id);
  return standing && approvalStatusAt({ status: standing.status, expiresAt: standing.expires_at }, now);
}

/** An approval, and whether the person who asks may approve it. */
interface ApprovalItem {
  readonly request: ApprovalRequestRow;
  readonly standing: ApprovalRight | undefined;
  readonly people: ApprovalPeople | undefined;
}

const ORDER = { position: z.string(), of: ({ request }: ApprovalItem) => request.id };

/** A list that no index leads to is looked through beside the writer. */
function walkedApart({ merchant, status, agentDid }: ListApprovals, { agents }: Caller): 'read' | 'readApart' {
  const isWalk = merchant !== undefined || (status !== undefined && agentDid !== undefined);
  return isWalk || agents !== undefined ? 'readApart' : 'read';
}

export const listApprovals = useCase({
  summary: 'Lists approvals, newest first.',
  input: ListApprovals,
  output: pageOf(Approval),
  permission: 'read',
  showsOwn: true,
  run: inOneRead<ListApprovals, Page<Approval>>((deps, caller, input, now) => {
    const list = {
      own: byAgent,
      order: ORDER,
      *select({ tenantId }: Caller, asked: ListApprovals, before: string | undefined, limit: number) {
        const { status, agentDid, merchant, from, to } = asked;
        const filter = { status, agentDid, merchant, from, to, now };
        const { rows, upTo } = yield* listApprovalRequests(tenantId, filter, before, limit);
        const answers = yield* mayApproveEach(deps, caller, rows, now);
        const people = yield* together(...rows.map((request) => peopleOf(deps, request)));
        const listed = rows.map(
          (request, index): ApprovalItem => ({ request, standing: answers[index], people: people[index] }),
        );
        return upTo === undefined ? { rows: listed } : { rows: listed, upTo };
      },
      show: (listed: ApprovalItem) => show(deps, listed, now),
    };
    return readPage(list, deps, caller, input, now);
  }, walkedApart),
});

export const denyApproval = useCase({
  summary: 'Denies an approval; the agent that asked may withdraw its own. Denying it again changes nothing.',
  input: DenyApproval,
  output: Approval,
  permission: 'write',
  faults: ['NOT_FOUND', 'CONFLICT'],
  run: inOneCommit<DenyApproval, Approval>(function* (deps, caller, { id }, { now }) {
    const request = yield* loadOwn(caller, id);
    const status = approvalStatusAt({ status: request.status, expiresAt: request.expires_at }, now);
    const people = yield* peopleOf(deps, request);
    if (status === 'denied') return showApproval(deps, request, now, people);
    if (status !== 'pending') throw new Fault('CONFLICT', `This approval is ${status} already.`);
    const actorDid = caller.did ?? deps.issuer.did;
    const by = denierOf(caller);
    yield* settleApproval(deps, request, { status: 'denied', by, actorDid, more: { deniedBy: caller.id } }, now);
    return showApproval(deps, { ...request, status: 'denied', decided_at: now }, now, people);
  }),
});

export const remindApprovers = useCase({
  summary:
    'Tells the people who were asked for an approval once more. They are told twice in all: this takes the place of the reminder at half of the time.',
  input: RemindApprovers,
  output: Approval,
  permission: 'write',
  faults: ['NOT_FOUND', 'CONFLICT'],
  run: inOneCommit<RemindApprovers, Approval>(function* (deps, caller, { id }, { now }) {
    const request = yield* loadOwn(caller, id);
    if (!(yield* remindOfApproval(deps, request, now))) {
      const status = approvalStatusAt({ status: request.status, expiresAt: request.expires_at }, now);
      const why =
        status === 'pending'
          ? 'They were told a second time already, or one of them has answered.'
          : `This approval is ${status} already.`;
      throw new Fault('CONFLICT', why);
    }
    return showApproval(deps, { ...request, remind_at: null }, now, yield* peopleOf(deps, request));
  }),
});

function show(deps: Pick<Deps, 'settings'>, { request, standing, people }: ApprovalItem, now: number): Approval {
  return { ...showApproval(deps, request, now, people), ...standing };
}

/** @throws Fault NOT_FOUND, for another agent's request too */
function* loadOwn(caller: Caller, id: string): Script<ApprovalRequestRow> {
  const request = yield* findApprovalRequest(caller.tenantId, id);
  if (request === undefined || !actsFor(caller, request.agent_did)) {
    throw new Fault('NOT_FOUND', `There is no approval ${id}.`);
  }
  return request;
}

function showState(deps: Pick<Deps, 'settings'>, listed: ApprovalItem, now: number): ApprovalState {
  const approval = show(deps, listed, now);
  const { request } = listed;
  return request.hp_proof === null ? approval : { ...approval, hpProof: JSON.parse(request.hp_proof) };
}
