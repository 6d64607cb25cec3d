/** A message that asks what is left of limits: it is answered at once with a message, and begins no task. */

import { askedLimits, LIMITS_RESULT } from '../../../../protocol/a2a/dataParts.ts';
import type { AgentMessage, TaskMessage } from '../../../../protocol/a2a/task.ts';
import { AskLimits, type LimitStates } from '../../../../protocol/agentLimits.ts';
import { limitsSentence } from '../../../../protocol/policy/limitUse.ts';
import { MESSAGE_AGE_SECONDS, MESSAGE_AHEAD_SECONDS } from '../../../../protocol/wire/time.ts';
import type { RequestCredential } from '../../../core/callerOf.ts';
import { requireBody, tryParse } from '../../../core/serveRequest.ts';
import { parseInput } from '../../../usecase/useCase.ts';
import type { StandardRequest } from './standardRequest.ts';
import { within } from './within.ts';

/** Who asks: the credential of the request, or the DID that signed the message and when. */
interface Asker {
  readonly credential: RequestCredential;
  readonly signed: { readonly did: string; readonly created: string } | undefined;
  readonly prover: string | undefined;
}

/** @returns undefined for a message that does not ask */
export async function answerLimits(
  request: StandardRequest,
  asker: Asker,
  message: TaskMessage,
): Promise<AgentMessage | undefined> {
  const asked = askedLimits(message);
  if (asked === undefined) return undefined;
  const { core, newId } = request.gate;
  const parsed = tryParse(() => {
    const body = asker.prover === undefined ? asked.body : { agentDid: asker.prover, ...Object(asked.body) };
    return within(asked.path, () => parseInput(AskLimits, body));
  });
  const credential = onceOnly(asker, message.messageId, newId);
  const of = { name: 'showLimits', address: request.meter.address, credential } as const;
  const coreReply = await core.call('takeRequest', { ...of, input: parsed.input });
  const limits = JSON.parse(String(requireBody(parsed, request.meter.settle(coreReply)))) as LimitStates;
  const contextId = message.contextId ?? newId('ctx_');
  const parts = [{ data: { [LIMITS_RESULT]: limits } }, { text: limitsSentence(limits.limits) }];
  return { messageId: newId('msg_'), contextId, role: 'ROLE_AGENT', parts };
}

/** A signed message tells its answer once, to who sent it: a copy that is sent again learns nothing. */
function onceOnly(
  { credential, signed }: Asker,
  messageId: string,
  newId: (prefix: string) => string,
): RequestCredential {
  if (credential.kind !== 'signature' || signed === undefined) return credential;
  const issuedAt = Math.floor(Date.parse(signed.created) / 1000);
  const expiresAt = (issuedAt + MESSAGE_AGE_SECONDS + MESSAGE_AHEAD_SECONDS) * 1000;
  const proof = { did: signed.did, jti: `message ${messageId}`, issuedAt, expiresAt, requestId: newId('req_') };
  return { kind: 'proof', proof };
}
