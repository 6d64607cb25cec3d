/** The gateway's envelope: message ids that come once, sessions, and answers as signed messages. */
import type { Signed } from '../../protocol/credential/canonical.ts';
import { signDocument } from '../../protocol/credential/proof.ts';
import { Fault } from '../../protocol/wire/fault.ts';
import { type MandateType, type Message, RESULT_OF, staleness } from '../../protocol/wire/message.ts';
import type { Caller } from '../access/caller.ts';
import type { Deps } from '../handlers/core/deps.ts';
import type { Envelope } from '../handlers/core/envelope.ts';
import { keepAnswer, markRequest, type Remembered, recall, releaseRequest } from '../handlers/core/idempotency.ts';
import type { SessionRow } from '../store/statements/callers/sessions.ts';
import type { Script } from '../store/store.ts';
import { JsonText } from './answerText.ts';
import { type GatewayRequest, spendProof } from './gatewayRequest.ts';
import { joinSession, linksOf, touchSession } from './joinSession.ts';
import type { VerifiedSender } from './verifySender.ts';

/** A JSON-RPC answer without its id, which belongs to the request it answers. */
export type RpcWire =
  | { readonly result: unknown }
  | { readonly error: { readonly code: number; readonly message: string; readonly data?: unknown } };

/** What an answer needs to know of its message; kept with a message in flight. */
export interface ReplyFacts {
  readonly type: MandateType;
  readonly to: string;
  readonly inReplyTo: string;
  readonly contextId?: string | undefined;
}

export function messageEnvelope(
  deps: Deps,
  caller: Caller,
  request: GatewayRequest,
  message: Message,
  sender: VerifiedSender,
  secret: boolean,
): Envelope<unknown, RpcWire> {
  const reply: ReplyFacts = {
    type: message.type,
    to: message.from,
    inReplyTo: message.id,
    ...(message.contextId === undefined ? {} : { contextId: message.contextId }),
  };
  const remembered: Remembered = {
    tenantId: caller.tenantId,
    scope: `a2a ${message.from}`,
    key: message.id,
    hash: sender.messageHash,
    gate: 'a2a',
    envelope: { ...reply },
    secret,
  };
  const mismatch = () => new Fault('MESSAGE_REUSED', 'This message id came before with other content.');
  let session: SessionRow | undefined;

  return {
    contextId: message.contextId,
    *open(now) {
      const stored = yield* recall(deps, remembered, now, mismatch);
      if (stored !== undefined) return JSON.parse(stored) as RpcWire;
      const stale = staleness(message.created, now);
      if (stale !== undefined) throw new Fault('UNVERIFIED', stale);
      if (!sender.signed) yield* spendProof(request);
      if (message.contextId !== undefined) {
        session = yield* joinSession(caller.tenantId, message.contextId, message.from, now);
      }
      return undefined;
    },
    mark: (attemptKey, now) => markRequest(remembered, attemptKey, now),
    release: () => releaseRequest(remembered),
    *close(output, now, signed) {
      if (session !== undefined) yield* touchSession(session, linksOf(output), now);
      const wire = renderReply(deps, reply, output, now, signed);
      yield* keepAnswer(deps, remembered, wireText(wire), now);
      return wire;
    },
  };
}

/** A result as a signed message, or a refusal as the JSON-RPC error it is between agents. */
function renderReply(
  deps: Deps,
  reply: ReplyFacts,
  output: unknown,
  now: number,
  parts: readonly Signed[] = [],
): RpcWire {
  const refusal = output as { readonly allowed?: boolean; readonly reasonCodes?: readonly string[] };
  if (refusal.allowed === false) {
    const message = `Refused by policy: ${refusal.reasonCodes?.join(', ')}`;
    return { error: { code: -32000, message, data: output } };
  }
  const created = new Date(now).toISOString();
  const message = {
    id: deps.newId('msg_'),
    type: RESULT_OF[reply.type],
    from: deps.issuer.did,
    to: reply.to,
    created,
    ...(reply.contextId === undefined ? {} : { contextId: reply.contextId }),
    inReplyTo: reply.inReplyTo,
    body: output,
  };
  const options = { created, proofPurpose: 'authentication' as const, parts };
  return { result: new JsonText(`{"message":${signDocument(deps.suite, deps.issuer, message, options).text}}`) };
}

/** A wire as it is stored; parsed, it is one again. */
function wireText(wire: RpcWire): string {
  return 'result' in wire && wire.result instanceof JsonText ? `{"result":${wire.result.text}}` : JSON.stringify(wire);
}

/** Finishes an answer that another process left in flight. */
export function* finishReply(
  deps: Deps,
  tenantId: string,
  reply: ReplyFacts,
  output: unknown,
  now: number,
): Script<string> {
  if (reply.contextId !== undefined) {
    const session = yield* joinSession(tenantId, reply.contextId, reply.to, 0);
    yield* touchSession(session, linksOf(output), now);
  }
  return wireText(renderReply(deps, reply, output, now));
}
