/** Answers as text: what the use case gave, or the message between agents that carries it, signed. */

import type { Signed } from '../../protocol/credential/canonical.ts';
import { makeProof } from '../../protocol/credential/proof.ts';
import { compact } from '../../protocol/wire/compact.ts';
import { RESULT_OF } from '../../protocol/wire/message.ts';
import { isoTime } from '../../protocol/wire/time.ts';
import type { MessageReply, Reply } from './call.ts';
import type { Deps } from './deps.ts';
import { Streamed } from './streamed.ts';

/** What the functions of this file use. */
type ReplyDeps = Pick<Deps, 'issuer' | 'newId' | 'suite'>;

/**
 * @param now milliseconds since the epoch, for the message's `created`
 * @param parts signed documents in the output, whose text is not written again
 */
export function writeReply(
  deps: ReplyDeps,
  reply: Reply,
  output: unknown,
  now: number,
  parts: readonly Signed[] = [],
): string | Streamed {
  if (reply.kind === 'message') return writeMessage(deps, reply, output, now, parts);
  if (reply.kind === 'task') return JSON.stringify({ taskId: reply.taskId });
  if (output instanceof Streamed) return output;
  return reply.kind === 'output' || output === undefined ? '' : JSON.stringify(output);
}

/** What the gate makes its answer of: `{"message":…}`, signed here where the key is, or `{"refusal":…}`, which is no message. */
function writeMessage(
  deps: ReplyDeps,
  reply: MessageReply,
  output: unknown,
  now: number,
  parts: readonly Signed[],
): string {
  if ((output as { readonly allowed?: boolean }).allowed === false) return JSON.stringify({ refusal: output });
  const created = isoTime(now);
  const message = compact({
    id: deps.newId('msg_'),
    type: RESULT_OF[reply.type],
    from: deps.issuer.did,
    to: reply.to,
    created,
    contextId: reply.contextId,
    inReplyTo: reply.inReplyTo,
    body: output,
  });
  const options = { created, proofPurpose: 'authentication', parts } as const;
  return `{"message":${makeProof(deps.suite, deps.issuer, message, options).text}}`;
}
