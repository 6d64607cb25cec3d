/**
 * What surrounds every use case that writes, the same for both gates: a request that came before gets its stored
 * answer, a proof is used up, a session is joined and counted, and the answer is written and kept, all in the use
 * case's own commits.
 */
import type { SignedDocument } from '../../protocol/credential/canonical.ts';
import { makeProof } from '../../protocol/credential/proof.ts';
import { compact } from '../../protocol/wire/compact.ts';
import { Fault } from '../../protocol/wire/fault.ts';
import { RESULT_OF } from '../../protocol/wire/message.ts';
import { isoTime } from '../../protocol/wire/time.ts';
import type { Caller } from '../access/caller.ts';
import { markProofUsed } from '../store/statements/callers/proofs.ts';
import { type RequestRow, saveRequest } from '../store/statements/callers/requests.ts';
import type { Script } from '../store/store.ts';
import { ByteStream } from './byteStream.ts';
import type { Answer, Call, MessageReply, Reply, UsedProof } from './call.ts';
import type { Deps } from './deps.ts';
import type { HookDeps } from './hooks.ts';
import { keepAnswer, markRequest, recallRequest, releaseRequest, sealContextOf } from './idempotency.ts';

/**
 * Runs first in a use case's first commit.
 * @returns the answer to this very request, where it was given before
 * @throws Fault CONFLICT while it is in flight, UNVERIFIED for a proof used before, and what `onOpen` throws
 */
export function* openCall<Output>(deps: HookDeps, call: Call, now: number): Script<Answer<Output> | undefined> {
  const { message, idempotency, proof } = call;
  const stored = message && (yield* recallRequest(deps, message, now));
  if (stored !== undefined) return { text: stored };
  if (proof !== undefined) yield* spendProof(proof);
  for (const open of deps.operations.hooks.onOpen) yield* open(deps, call, now);
  const output = idempotency && (yield* recallRequest(deps, idempotency, now));
  if (output === undefined) return undefined;
  if (call.reply.kind === 'json') return { text: output };
  // The same request in another message: its result, in an answer to this message.
  const result: unknown = JSON.parse(output);
  for (const repeat of deps.operations.hooks.onRepeat) yield* repeat(deps, call, result, now);
  const text = writeReply(deps, call.reply, result, now);
  if (message !== undefined) yield* keepAnswer(deps, message, String(text), now);
  return { text };
}

/** Leaves a mark for a use case that needs more than one commit, so that a crash in between can be made good. */
export function* markCall(
  deps: HookDeps,
  call: Call,
  attempt: { readonly attempt_key: string; readonly payment_id: string },
  now: number,
): Script<void> {
  const { task, message, reply } = call;
  for (const hold of deps.operations.hooks.onRailWait) yield* hold(deps, call, attempt.payment_id, now);
  // The same message again gets the task, which tells what the rail says once it does.
  if (task !== undefined && message !== undefined) {
    yield* keepAnswer(deps, message, String(writeReply(deps, reply, undefined, now)), now);
  }
  for (const request of keysOf(marked(call))) yield* markRequest(request, attempt.attempt_key, now);
}

/** The call as it goes on once it is marked: a task is told by its payment what became of it. */
export function marked(call: Call): Call {
  return call.task === undefined ? call : { ...call, task: undefined, message: undefined };
}

/** Takes the mark back when the use case ended in a fault, so that the request may be made again. */
export function* releaseCall(call: Call): Script<void> {
  for (const request of keysOf(call)) yield* releaseRequest(request);
}

/**
 * Runs last, in the commit that completes the use case: counts the message, writes the answer and keeps it.
 * @param parts signed documents in the output, whose text is not written again
 */
export function* closeCall<Output>(
  deps: HookDeps,
  call: Call,
  output: Output,
  now: number,
  parts: readonly SignedDocument[] = [],
): Script<Answer<Output>> {
  const { reply, message, idempotency } = call;
  for (const close of deps.operations.hooks.onClose) yield* close(deps, call, output, now);
  const text = writeReply(deps, reply, output, now, parts);
  if (message !== undefined) yield* keepAnswer(deps, message, String(text), now);
  if (idempotency !== undefined) {
    const json = reply.kind === 'json' ? String(text) : JSON.stringify(output);
    yield* keepAnswer(deps, idempotency, json, now);
  }
  return { text, output };
}

/** Answers a request that another process left in flight. */
export function* finishRequest(deps: HookDeps, request: RequestRow, output: unknown, now: number): Script<void> {
  const reply: Reply =
    request.gate === 'a2a' ? { kind: 'message', ...(JSON.parse(request.envelope) as MessageReply) } : { kind: 'json' };
  if (reply.kind === 'message') {
    const call = { caller: senderOf(request.tenant_id, reply), reply, contextId: reply.contextId };
    for (const close of deps.operations.hooks.onClose) yield* close(deps, call, output, now);
  }
  // It may carry what completes a purchase.
  const answer = deps.sealer.seal(String(writeReply(deps, reply, output, now)), sealContextOf(request));
  yield* saveRequest({ ...request, state: 'DONE', answer, attempt_key: null });
}

/** Uses a proof up for this request. @throws Fault UNVERIFIED when another request used it */
export function* spendProof(proof: UsedProof): Script<void> {
  if (yield* markProofUsed(proof.did, proof.jti, proof.requestId, proof.expiresAt)) return;
  throw new Fault('UNVERIFIED', 'This X-DID-Proof was used before; make a new one for each request.');
}

/** The agent whose message is answered later; all that it was to do is done. */
function senderOf(tenantId: string, { to: did }: MessageReply): Caller {
  return { id: did, kind: 'did', tenantId, permissions: new Set(), did };
}

/** The keys that a call's answer is kept under. */
export function keysOf({ message, idempotency }: Call) {
  return [message, idempotency].filter((request) => request !== undefined);
}

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
  parts: readonly SignedDocument[] = [],
): string | ByteStream {
  if (reply.kind === 'message') return writeMessage(deps, reply, output, now, parts);
  if (reply.kind === 'task') return JSON.stringify({ taskId: reply.taskId });
  if (output instanceof ByteStream) return output;
  return reply.kind === 'output' || output === undefined ? '' : JSON.stringify(output);
}

/** What the gate makes its answer of: `{"message":…}`, signed here where the key is, or `{"refusal":…}`, which is no message. */
function writeMessage(
  deps: ReplyDeps,
  reply: MessageReply,
  output: unknown,
  now: number,
  parts: readonly SignedDocument[],
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
