/** An open payment mandate is registered once for an agent, whose intents may name it from then on. */
import { refuseAgent } from '../../../../protocol/agent.ts';
import { refuseUnresolved } from '../../../../protocol/ap2/delegatedPurchase.ts';
import {
  type Delegation,
  DelegationPreview,
  DelegationResult,
  PreviewDelegation,
  RegisterDelegation,
} from '../../../../protocol/ap2/delegation.ts';
import { detailsOfViolations } from '../../../../protocol/ap2/paymentCredential.ts';
import { type ReasonDetails, refusalOf } from '../../../../protocol/reason.ts';
import { type OpenMandateChain, verifyOpenMandate } from '../../../../protocol/sdjwt/ap2.ts';
import { parseChain } from '../../../../protocol/sdjwt/sdJwt.ts';
import { Fault } from '../../../../protocol/wire/fault.ts';
import { isoTime } from '../../../../protocol/wire/time.ts';
import { type Caller, requireActsFor } from '../../../access/caller.ts';
import { nativeSignatureCheck } from '../../../crypto/nativeJwk.ts';
import {
  bindMandateKey,
  type ClosingKey,
  findClosingKey,
  refuseOtherAgent,
} from '../../../domain/agents/closingKey.ts';
import { requireAgent } from '../../../domain/agents/loadAgent.ts';
import { recordAdminEvent } from '../../../domain/evidence/recordEvent.ts';
import {
  findDelegationOfMandate,
  insertMandateDelegation,
  listDelegationsOfRoot,
  type MandateDelegationRow,
} from '../../../store/statements/purchases/mandateDelegations.ts';
import { type AgentRow, findAgent } from '../../../store/statements/registry/agents.ts';
import { findMandateIssuers, type MandateIssuerRow } from '../../../store/statements/registry/mandateIssuers.ts';
import type { Script } from '../../../store/store.ts';
import type { Deps, EventDeps } from '../../../usecase/deps.ts';
import { type CommitContext, inSteps, loadedInOneCommit, useCase } from '../../../usecase/useCase.ts';
import { refuseOtherMoney } from '../chains/examineMandate.ts';
import { findTrust, type MandateTrust, refuseRootAlone } from '../chains/mandateTrust.ts';
import { keptUntil, loadCounted, refuseRevoked } from '../uses/countUses.ts';
import { showDelegation, withUses } from './delegationUses.ts';

/** Most delegations whose chains begin with one mandate: a revocation ends all of them in one commit. */
const MOST_OF_ROOT = 100;

type Request = RegisterDelegation;
type Result = DelegationResult;

export const registerDelegation = useCase({
  summary: 'Registers an open payment mandate for an agent, whose intents may name it from then on.',
  input: RegisterDelegation,
  output: DelegationResult,
  permission: 'write',
  faults: ['FORBIDDEN', 'NOT_FOUND', 'CONFLICT'],
  idempotent: true,
  run: async (deps, call, input) => {
    const { caller } = call;
    requireMayRegister(caller, input.agentDid);
    const issuers = await deps.store.read(() => findMandateIssuers(caller.tenantId));
    // Signatures are verified outside the transaction, which the purchases of the tenant wait for.
    const read = readOpenMandate(deps, issuers, input, deps.clock());
    const commit = loadedInOneCommit(
      (_deps, { tenantId }) => ({ agent: findAgent(tenantId, input.agentDid), issuers: findMandateIssuers(tenantId) }),
      (own: Deps, by, request: Request, moment, loaded) => register(own, by, request, read, loaded, moment),
    );
    return commit(deps, call, input);
  },
});

export const previewDelegation = useCase({
  summary: 'Says what an open payment mandate allows, and whether it would be registered; nothing is kept.',
  input: PreviewDelegation,
  output: DelegationPreview,
  permission: 'write',
  faults: ['FORBIDDEN', 'NOT_FOUND', 'CONFLICT'],
  run: inSteps<PreviewDelegation, DelegationPreview>(
    async (deps: Pick<Deps, 'store' | 'suite' | 'newId' | 'clock'>, caller, input) => {
      requireMayRegister(caller, input.agentDid);
      const issuers = await deps.store.read(() => findMandateIssuers(caller.tenantId));
      const read = readOpenMandate(deps, issuers, input, deps.clock());
      return deps.store.read((now) => preview(deps, caller, input, read, issuers, now));
    },
  ),
});

/**
 * Each merchant that was shown a chain has seen the open mandate in it. So an agent may not register one by a DID proof: that shows
 * an Ed25519 key, and the mandate was given to a key of P-256.
 * @throws Fault FORBIDDEN
 */
function requireMayRegister(caller: Caller, agentDid: string): void {
  requireActsFor(caller, agentDid);
  if (caller.kind !== 'did') return;
  throw new Fault(
    'FORBIDDEN',
    'A DID proof does not show that the mandate was given to this agent: an API key of the tenant registers it.',
  );
}

/** A token as it was verified beforehand. */
interface OpenMandateRead {
  readonly details: ReasonDetails;
  /** Undefined where a hop does not hold. */
  readonly chain: OpenMandateChain | undefined;
  /** Undefined where no trusted issuer began it. */
  readonly trust: MandateTrust | undefined;
  /** Seconds since the epoch. */
  readonly at: number;
}

/** @throws Fault BAD_REQUEST for a text that is no chain of open payment mandates */
function readOpenMandate(
  deps: Pick<Deps, 'suite'>,
  issuers: readonly MandateIssuerRow[],
  { token }: PreviewDelegation,
  now: number,
): OpenMandateRead {
  const [root] = parseChain(token);
  const isSigned = nativeSignatureCheck(deps.suite);
  const at = Math.floor(now / 1000);
  const trust = root && findTrust(issuers, root, now, isSigned);
  const { violations, chain } = verifyOpenMandate(token, { rootKey: () => trust?.jwk, isSigned, at });
  const details = { ...detailsOfViolations(violations), ...(chain === undefined ? {} : refuseUnresolved(chain)) };
  const isOver = chain?.endsAt !== undefined && chain.endsAt * 1000 <= now;
  if (isOver) details.MANDATE_INVALID ??= { message: `It expired at ${isoTime(Number(chain.endsAt) * 1000)}.` };
  return { details, chain, trust, at };
}

function* register(
  deps: EventDeps,
  caller: Caller,
  input: Request,
  read: OpenMandateRead,
  loaded: { readonly agent: AgentRow | undefined; readonly issuers: readonly MandateIssuerRow[] },
  { now }: CommitContext,
): Script<Result> {
  const agent = requireAgent(loaded.agent, input.agentDid);
  const judged = yield* judge(deps, caller, agent, { input, read, issuers: loaded.issuers }, now);
  if ('refusal' in judged) return judged.refusal;
  const { row, former, closingKey, trust } = judged;
  if (former !== undefined) return yield* shown(former, now);
  yield* insertMandateDelegation(row);
  yield* bindMandateKey(deps, agent, closingKey, now);
  const { id: delegationId, token, open_hash: openHash, principal_did: principalDid } = row;
  const { issuer, jwk: rootKey } = trust;
  const data = {
    ...{ delegationId, agentDid: agent.did, principalDid, openHash, openMandate: token },
    ...{ mandateIssuerId: issuer.id, kind: issuer.kind, rootKey, verifiedAt: read.at },
  };
  yield* recordAdminEvent(deps, caller, 'DELEGATION_REGISTERED', data, now);
  return yield* shown({ ...row, revoked_at: null }, now);
}

function* preview(
  deps: Pick<Deps, 'newId' | 'suite'>,
  caller: Caller,
  input: PreviewDelegation,
  read: OpenMandateRead,
  issuers: readonly MandateIssuerRow[],
  now: number,
): Script<DelegationPreview> {
  const agent = requireAgent(yield* findAgent(caller.tenantId, input.agentDid), input.agentDid);
  const judged = yield* judge(deps, caller, agent, { input, read, issuers }, now);
  if ('refusal' in judged) return judged.refusal;
  const shownRow = yield* shown({ ...judged.row, revoked_at: null }, now);
  const { agentDid, principalDid, limits, openHash, delegated } = shownRow;
  return { agentDid, principalDid, limits, openHash, delegated };
}

interface OpenMandateRequest {
  readonly input: PreviewDelegation;
  readonly read: OpenMandateRead;
  /** As they are trusted now. */
  readonly issuers: readonly MandateIssuerRow[];
}

type Judgement =
  | { readonly refusal: Extract<Result, { allowed: false }> }
  | {
      readonly row: Omit<MandateDelegationRow, 'revoked_at'>;
      /** The same mandate, where it is registered already. */
      readonly former: MandateDelegationRow | undefined;
      readonly closingKey: ClosingKey | undefined;
      readonly trust: MandateTrust;
    };

/** Why a mandate is not registered, or what would be. @throws Fault CONFLICT */
function* judge(
  deps: Pick<Deps, 'newId' | 'suite'>,
  caller: Caller,
  agent: AgentRow,
  { input, read: { chain, trust, details: found, at }, issuers }: OpenMandateRequest,
  now: number,
): Script<Judgement> {
  const isTrusted = issuers.some(({ id }) => id === trust?.issuer.id);
  if (chain === undefined || trust === undefined || !isTrusted) {
    const untrusted = { MANDATE_INVALID: { message: 'No trusted issuer has signed its first mandate.' } };
    return { refusal: refusalOf({ ...untrusted, ...found }) as Extract<Result, { allowed: false }> };
  }
  const principalDid = input.principalDid ?? trust.issuer.principal_did ?? agent.did;
  const closingKey = yield* findClosingKey(deps, agent.tenant_id, chain.closingKey);
  const row = draft(deps, { agent, principalDid, chain, trust, token: input.token, at }, now);
  const former = yield* findDelegationOfMandate(agent.tenant_id, row.jwt_hash);
  if (former !== undefined) {
    refuseOther(former, row);
    return { row, former, closingKey, trust };
  }
  const counted = yield* loadCounted(agent.tenant_id, chain, now);
  const refusal = refusalOf({
    ...found,
    ...refuseAgent(agent.status),
    ...refuseRevoked(counted),
    ...refuseUnshown(caller, closingKey),
    ...refuseOtherAgent(closingKey, agent),
    ...refuseOtherMoney(trust.issuer, principalDid),
    ...refuseRootAlone(trust, agent.did, principalDid),
  });
  if (refusal !== undefined) return { refusal: refusal as Extract<Result, { allowed: false }> };
  const further = yield* listDelegationsOfRoot(agent.tenant_id, row.root_hash);
  if (further.length >= MOST_OF_ROOT) {
    throw new Fault('CONFLICT', `${MOST_OF_ROOT} delegations begin with this mandate, the most there may be.`);
  }
  return { row, former, closingKey, trust };
}

/**
 * An open mandate is in every chain that it begins, so who has one is not for that its agent. Who acts for all agents of the tenant says
 * whose it is; who acts for some alone must be known to have its key.
 */
function refuseUnshown({ agents }: Caller, key: ClosingKey | undefined): ReasonDetails {
  if (agents === undefined || key?.agentDid !== undefined) return {};
  return { MANDATE_INVALID: { message: UNSHOWN } };
}

const UNSHOWN =
  'The mandate was given to a key that is no agent’s yet: have it named in PUT /ap2/agents/:did {mandateKeys}, or close one payment by it first.';

function draft(
  deps: Pick<Deps, 'newId'>,
  from: {
    readonly agent: AgentRow;
    readonly principalDid: string;
    readonly chain: OpenMandateChain;
    readonly trust: MandateTrust;
    readonly token: string;
    readonly at: number;
  },
  now: number,
): Omit<MandateDelegationRow, 'revoked_at'> {
  const { agent, principalDid, trust, token, at } = from;
  const { open, limits, openHash, endsAt } = from.chain;
  return {
    id: deps.newId('dlg_'),
    tenant_id: agent.tenant_id,
    agent_did: agent.did,
    principal_did: principalDid,
    mandate_issuer_id: trust.issuer.id,
    root_key: JSON.stringify(trust.jwk),
    token,
    mandates: JSON.stringify({ open, limits }),
    jwt_hash: String(limits.at(-1)?.jwtHash),
    root_hash: String(limits[0]?.jwtHash),
    open_hash: openHash,
    verified_at: at,
    created_at: now,
    expires_at: endsAt === undefined ? null : endsAt * 1000,
    kept_until: keptUntil([endsAt], now),
  };
}

/** @throws Fault CONFLICT where it is registered for another agent or principal */
function refuseOther(former: MandateDelegationRow, row: Omit<MandateDelegationRow, 'revoked_at'>): void {
  if (former.agent_did === row.agent_did && former.principal_did === row.principal_did) return;
  const other = former.agent_did === row.agent_did ? 'the money of another person or company' : 'another agent';
  throw new Fault('CONFLICT', `This open mandate is registered for ${other} already.`);
}

function* shown(row: MandateDelegationRow, now: number): Script<Delegation> {
  const [used] = yield* withUses([row]);
  return showDelegation(used as NonNullable<typeof used>, now);
}
