/** A message that asks a question, such as what is left of limits: it is answered at once with a message, and begins no task. */
import { askedQuestion } from '../../../../protocol/a2a/dataParts.ts';
import type { AgentMessage, TaskMessage } from '../../../../protocol/a2a/task.ts';
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

/** @returns undefined for a message that does not ask, or asks an extension that the node runs without */
export async function answerQuestion(
  request: StandardRequest,
  asker: Asker,
  message: TaskMessage,
): Promise<AgentMessage | undefined> {
  const { core, newId, settings } = request.gate;
  const asked = askedQuestion(message, settings.extensions);
  if (asked === undefined) return undefined;
  const { operation, resultName, schema, sentence } = asked.question;
  const parsed = tryParse(() => within(asked.path, () => parseInput(schema(asker.prover), asked.body)));
  const credential = onceOnly(asker, message.messageId, newId);
  const of = { name: operation, address: request.meter.address, credential } as const;
  const coreReply = await core.call('takeRequest', { ...of, input: parsed.input });
  const result = JSON.parse(String(requireBody(parsed, request.meter.settle(coreReply)))) as object;
  const contextId = message.contextId ?? newId('ctx_');
  const parts = [{ data: { [resultName]: result } }, { text: sentence(result) }];
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
