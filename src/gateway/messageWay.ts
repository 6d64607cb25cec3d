/** The steps of a mandate message (`a2a/message`), from its JSON-RPC parameters to its answer. */
import { z } from 'zod';
import { canonical, hashText } from '../../protocol/credential/canonical.ts';
import { Fault } from '../../protocol/wire/fault.ts';
import { type MandateType, Message, staleness } from '../../protocol/wire/message.ts';
import { loadAgentCaller } from '../handlers/access/agentCaller.ts';
import { type RequestKey, storedAnswer } from '../handlers/core/idempotency.ts';
import { parseInput } from '../handlers/core/parseInput.ts';
import { perform } from '../handlers/core/perform.ts';
import { ended, steps } from '../handlers/core/steps.ts';
import { table } from '../handlers/core/table.ts';
import type { UseCase } from '../handlers/core/useCase.ts';
import { findRequestOfAgent } from '../store/statements/callers/requests.ts';
import { together } from '../store/store.ts';
import type { Arrival } from './methods.ts';
import { proveSender } from './proveSender.ts';
import { outcomeOf, type RpcOutcome } from './rpcAnswer.ts';

export const USE_CASE_OF = {
  IntentMandate: 'issueIntent',
  CartMandate: 'validateCart',
  PaymentMandate: 'mandatePayment',
} as const satisfies Record<MandateType, keyof typeof table>;

const MessageParams = z.object({ message: Message });

/**
 * An agent is charged only for a message that it signed itself, that is fresh and that is not a replay.
 */
export const messageWay = steps<Arrival, RpcOutcome>()
  .find('parse the message', ({ params }) => ({
    message: parseInput(MessageParams, params).message,
    raw: (params as { readonly message: Record<string, unknown> }).message,
  }))
  .find('prove the sender', ({ deps, request, message, raw }) => ({
    sender: proveSender(deps, request, message, raw),
  }))
  // Both at once, since on PostgreSQL each read is a round trip.
  .find('know the agent and recall its answer to a replay', async ({ deps, message, sender, known }) => {
    const { caller, key, stored } = await deps.store.read(function* (now) {
      const [caller, row] = yield* together(
        loadAgentCaller(message.from, 'AGENT_UNKNOWN'),
        findRequestOfAgent(message.from, scopeOf(message), message.id),
      );
      known(caller.id);
      const key = messageKey(caller.tenantId, message, sender.messageHash);
      return { caller, key, stored: yield* storedAnswer(deps, key, row, now) };
    });
    return stored === undefined ? { caller, key } : ended(outcomeOf(stored));
  })
  .check('refuse what is stale', ({ deps, message }) => {
    const stale = staleness(message.created, deps.clock());
    if (stale !== undefined) throw new Fault('UNVERIFIED', stale);
  })
  .check('charge the agent', ({ request, caller }) => request.chargeAgent(caller.id))
  .find('parse the body', ({ deps, caller, message }) => {
    const useCase = table[USE_CASE_OF[message.type]] as UseCase;
    const input = parseInput(useCase.input, message.body) as { readonly idempotencyKey?: string };
    if (input.idempotencyKey === undefined) return { input, idempotency: undefined };
    const idempotency: RequestKey = {
      tenantId: caller.tenantId,
      scope: `a2a ${caller.id} ${message.type}`,
      key: input.idempotencyKey,
      hash: hashText(deps.suite, canonical(message.body)),
      reused: {
        code: 'CONFLICT',
        message: 'This idempotency key was used for another request; use a new key for a new request.',
      },
      secret: useCase.secretAnswer === true,
    };
    return { input, idempotency };
  })
  .finish('run the use case', async ({ deps, caller, message, sender, key, idempotency, input }) => {
    const { contextId } = message;
    const reply = { kind: 'message', ...replyOf(message) } as const;
    const call = { caller, reply, message: key, idempotency, contextId, proof: sender.proof };
    const { text } = await perform(deps, USE_CASE_OF[message.type], call, input);
    return outcomeOf(String(text));
  });

/** Sender and id identify a message for 24 hours. */
function messageKey(tenantId: string, message: Message, hash: string): RequestKey {
  return {
    tenantId,
    scope: scopeOf(message),
    key: message.id,
    hash,
    reused: { code: 'MESSAGE_REUSED', message: 'This message id came before with other content.' },
    reply: replyOf(message),
    secret: (table[USE_CASE_OF[message.type]] as UseCase).secretAnswer === true,
  };
}

function scopeOf({ from }: Message): string {
  return `a2a ${from}`;
}

function replyOf({ type, from, id, contextId }: Message) {
  return { type, to: from, inReplyTo: id, contextId };
}
