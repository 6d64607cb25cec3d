/** The steps of a mandate message (`a2a/message`), from its JSON-RPC parameters to its answer, through the gate and the core. */
import { z } from 'zod';
import { canonical, hashText } from '../../../protocol/credential/canonical.ts';
import { Message, POLICY_REFUSAL } from '../../../protocol/wire/message.ts';
import { messageSteps, type ProvenMessage, USE_CASE_OF } from '../../core/takeMessage.ts';
import { table } from '../../operations/table.ts';
import { parseInput } from '../../usecase/parseInput.ts';
import { steps } from '../../usecase/steps.ts';
import type { UseCase } from '../../usecase/useCase.ts';
import type { Gate } from '../shell/gate.ts';
import { demandAnswer, type Parsed, parsedBy } from '../shell/parsed.ts';
import { JsonText, type RpcOutcome } from '../shell/rpcAnswer.ts';
import type { Arrival } from './methods.ts';
import { proveSender } from './proveSender.ts';

const MessageParams = z.object({ message: Message });

/** What is wrong with a body is told to none but its agent, once the core knows it. */
export const messageWay = steps<Arrival, RpcOutcome>()
  .find('parse the message', ({ params }) => ({
    message: parseInput(MessageParams, params).message,
    raw: (params as { readonly message: Record<string, unknown> }).message,
  }))
  .find('prove the sender', ({ gate, request, message, raw }) => ({
    sender: proveSender(gate, request, message, raw),
  }))
  .find('parse the body', ({ message }) => ({
    body: parsedBy(() => parseInput((table[USE_CASE_OF[message.type]] as UseCase).input, message.body)),
  }))
  .core(messageSteps, async ({ gate, request, message, sender, body, settle }) => {
    const { id, type, from, contextId, created } = message;
    const { messageHash: hash, proof } = sender;
    const { address } = request.meter;
    const repeatable = repeatableOf(gate, message, body);
    const { input } = body.given;
    const proven = { address, id, type, from, contextId, created, hash, proof, repeatable, input };
    return { text: demandAnswer(body, settle(await gate.core.call('takeMessage', proven))) };
  })
  .finish('reply', ({ text }) => replyOf(String(text)));

const REFUSAL = '{"refusal":';

/** A result, or the error that a refusal by the policy is between agents. @param text as the core's reply was written, and perhaps kept */
function replyOf(text: string): RpcOutcome {
  if (!text.startsWith(REFUSAL)) return { result: new JsonText(text) };
  const { refusal } = JSON.parse(text) as { readonly refusal: { readonly reasonCodes: readonly string[] } };
  const message = `Refused by policy: ${refusal.reasonCodes.join(', ')}`;
  return { error: { code: POLICY_REFUSAL, message, data: refusal } };
}

function repeatableOf({ suite }: Gate, message: Message, { given }: Parsed): ProvenMessage['repeatable'] {
  const key = (given.input?.value as { readonly idempotencyKey?: string } | undefined)?.idempotencyKey;
  return key === undefined ? undefined : { key, hash: hashText(suite, canonical(message.body)) };
}
