/** The steps of a mandate message in the core, once its gate has proven who sent it. */

import { Fault } from '../../protocol/wire/fault.ts';
import type { MandateType } from '../../protocol/wire/mandateType.ts';
import { staleness } from '../../protocol/wire/time.ts';
import type { Caller } from '../access/caller.ts';
import { type CarriedProof, requireFresh } from '../access/didProof.ts';
import { loadAgentCaller } from '../domain/agents/loadAgent.ts';
import { table } from '../operations/table.ts';
import { findRequestOfAgent } from '../store/statements/callers/requests.ts';
import { type Script, together } from '../store/store.ts';
import type { MessageReply } from '../usecase/call.ts';
import type { Deps } from '../usecase/deps.ts';
import { type RequestKey, storedAnswer } from '../usecase/idempotency.ts';
import { reply, steps } from '../usecase/steps.ts';
import { perform, type UseCase } from '../usecase/useCase.ts';
import {
  type CoreReply,
  KEY_REUSED,
  type ParsedInput,
  type RequestQuota,
  type StepsResult,
  serveRequest,
} from './serveRequest.ts';

export const USE_CASE_OF = {
  IntentMandate: 'issueIntent',
  CartMandate: 'validateCart',
  PaymentMandate: 'mandatePayment',
} as const satisfies Record<MandateType, keyof typeof table>;

/** A message as its gate passes it on. */
export interface ProvenMessage extends ParsedInput {
  /** Of the socket or the request that carried it, as the rate limiter names it. */
  readonly address: string;
  readonly id: string;
  readonly type: MandateType;
  /** The agent that signed it, or whose proof vouches for it. */
  readonly from: string;
  readonly contextId: string | undefined;
  /** When it was made, by its sender's clock. */
  readonly created: string;
  /** Equal for the same message, and for no other. */
  readonly hash: string;
  /** The proof that vouches for a message without a signature of its own, to be used up by it. */
  readonly proof: CarriedProof | undefined;
  /** Present where its body has an idempotency key: the key, and the hash of the body. */
  readonly repeatable?: { readonly key: string; readonly hash: string } | undefined;
}

interface Arrival {
  readonly deps: Deps;
  readonly quota: RequestQuota;
  readonly message: ProvenMessage;
}

/** An agent is charged only for a message that is its own, fresh, and not a replay. */
export const messageSteps = steps<Arrival, StepsResult>()
  .check('refuse an old proof', ({ deps, message: { proof } }) => proof && requireFresh(proof, deps.clock()))
  // Both at once, since on PostgreSQL each read is a round trip.
  .find('know the agent and recall its answer to a replay', async (arrival) => {
    const { caller, key, stored } = await arrival.deps.store.read((now) => recall(arrival, now));
    if (stored === undefined) return { caller, key };
    arrival.quota.chargeAddress();
    return reply({ body: stored });
  })
  .check('refuse what is stale', ({ deps, message }) => {
    const stale = staleness(message.created, deps.clock());
    if (stale !== undefined) throw new Fault('UNVERIFIED', stale);
  })
  .check('charge the agent', ({ quota }) => quota.charge())
  .find('end where the body is wrong', ({ message: { input } }) =>
    input === undefined ? reply({}) : { input: input.value },
  )
  .finish('run the use case', async ({ deps, caller, message, key, input }) => {
    const { contextId, proof, type } = message;
    const form = { kind: 'message', ...replyOf(message) } as const;
    const call = { caller, reply: form, message: key, idempotency: keyOf(message, caller.tenantId), contextId, proof };
    return { body: (await perform(deps, USE_CASE_OF[type], call, input)).text };
  });

function* recall(
  { deps, message, quota }: Arrival,
  now: number,
): Script<{ readonly caller: Caller; readonly key: RequestKey; readonly stored: string | undefined }> {
  const [caller, row] = yield* together(
    loadAgentCaller(message.from, 'AGENT_UNKNOWN'),
    findRequestOfAgent(message.from, scopeOf(message), message.id),
  );
  quota.know(caller);
  const key = messageKey(caller.tenantId, message);
  return { caller, key, stored: yield* storedAnswer(deps, key, row, now) };
}

export function takeMessage(deps: Deps, message: ProvenMessage): Promise<CoreReply> {
  return serveRequest(deps, message.address, (quota) => messageSteps.run({ deps, quota, message }));
}

/** Sender and id identify a message for 24 hours. */
function messageKey(tenantId: string, message: ProvenMessage): RequestKey {
  return {
    tenantId,
    scope: scopeOf(message),
    key: message.id,
    hash: message.hash,
    reused: { code: 'MESSAGE_REUSED', message: 'This message id came before with other content.' },
    reply: replyOf(message),
    secret: isSecret(message),
  };
}

/** The key that its body gives, which holds beyond one message. */
function keyOf(message: ProvenMessage, tenantId: string): RequestKey | undefined {
  const { repeatable, from, type } = message;
  if (repeatable === undefined) return undefined;
  return {
    ...repeatable,
    tenantId,
    scope: `a2a ${from} ${type}`,
    reused: KEY_REUSED,
    secret: isSecret(message),
  };
}

function isSecret({ type }: ProvenMessage): boolean {
  return (table[USE_CASE_OF[type]] as UseCase).secretAnswer === true;
}

function scopeOf({ from }: ProvenMessage): string {
  return `a2a ${from}`;
}

function replyOf({ type, from, id, contextId }: ProvenMessage): MessageReply {
  return { type, to: from, inReplyTo: id, contextId };
}
