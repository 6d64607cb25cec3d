/**
 * The methods of the gateway: the steps of a mandate message and of a session method, from JSON-RPC parameters to the answer,
 * through the gate and the core.
 */

import { z } from 'zod';
import { canonical, hashText } from '../../../protocol/credential/canonical.ts';
import { toHex } from '../../../protocol/credential/encodings.ts';
import { checkProof } from '../../../protocol/credential/proof.ts';
import { Fault } from '../../../protocol/wire/fault.ts';
import { Message, POLICY_REFUSAL } from '../../../protocol/wire/message.ts';
import type { CarriedProof } from '../../access/didProof.ts';
import type { CoreReply, ReplyBody } from '../../core/serveRequest.ts';
import { type ParseResult, requireBody, tryParse } from '../../core/serveRequest.ts';
import { messageSteps, type ProvenMessage, USE_CASE_OF } from '../../core/takeMessage.ts';
import { sessionSteps } from '../../core/takeSession.ts';
import { table } from '../../operations/table.ts';
import { type Pipeline, steps } from '../../usecase/steps.ts';
import { parseInput, type UseCase } from '../../usecase/useCase.ts';
import type { Gate } from '../shell/gate.ts';
import { JsonText, type RpcOutcome } from '../shell/jsonRpc.ts';
import type { GatewayRequest } from './gateway.ts';

/** One JSON-RPC request as it arrives at its method. */
interface Arrival {
  readonly gate: Gate;
  /** The HTTP request or socket that carried it. */
  readonly request: GatewayRequest;
  readonly params: unknown;
  /**
   * Notes what became of it in the core, which has charged whom it had to; one that fails before charges its address.
   * @returns the core's answer @throws what the core threw
   */
  settle(coreReply: CoreReply): ReplyBody | undefined;
}

function sessionPipeline(name: 'createSession' | 'getSession'): Pipeline<Arrival, RpcOutcome> {
  return steps<Arrival, RpcOutcome>()
    .find('prove the caller', ({ request }) => {
      const proof = request.proof();
      if (proof === undefined) throw new Fault('UNVERIFIED', 'Send X-DID-Proof to vouch for this request.');
      requireNamed(request, proof.did);
      return { proof };
    })
    .find('parse the parameters', ({ params }) => ({
      parsed: tryParse(() => parseInput(table[name].input, params ?? {})),
    }))
    .core(sessionSteps, async ({ gate, request, proof, parsed, settle }) => {
      const asked = { name, address: request.meter.address, proof, input: parsed.input };
      return { text: requireBody(parsed, settle(await gate.core.call('takeSession', asked))) };
    })
    .finish('reply', ({ text }) => ({ result: new JsonText(String(text)) }));
}

const MessageParams = z.object({ message: Message });

/** What is wrong with a body is told to none but its agent, once the core knows it. */
const messagePipeline = steps<Arrival, RpcOutcome>()
  .find('parse the message', ({ params }) => ({
    message: parseInput(MessageParams, params).message,
    raw: (params as { readonly message: Record<string, unknown> }).message,
  }))
  .find('prove the sender', ({ gate, request, message, raw }) => ({
    sender: proveSender(gate, request, message, raw),
  }))
  .find('parse the body', ({ message }) => ({
    body: tryParse(() => parseInput((table[USE_CASE_OF[message.type]] as UseCase).input, message.body)),
  }))
  .core(messageSteps, async ({ gate, request, message, sender, body, settle }) => {
    const { id, type, from, contextId, created } = message;
    const { messageHash: hash, proof } = sender;
    const { address } = request.meter;
    const repeatable = repeatableOf(gate, message, body);
    const { input } = body;
    const proven = { address, id, type, from, contextId, created, hash, proof, repeatable, input };
    return { text: requireBody(body, settle(await gate.core.call('takeMessage', proven))) };
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

function repeatableOf({ suite }: Gate, message: Message, { input }: ParseResult): ProvenMessage['repeatable'] {
  const key = (input?.value as { readonly idempotencyKey?: string } | undefined)?.idempotencyKey;
  return key === undefined ? undefined : { key, hash: hashText(suite, canonical(message.body)) };
}

export const methods: Readonly<Record<string, Pipeline<Arrival, RpcOutcome>>> = {
  'a2a/message': messagePipeline,
  'a2a/session.create': sessionPipeline('createSession'),
  'a2a/session.get': sessionPipeline('getSession'),
};

interface Sender {
  /** Equal for the same bytes, and for nothing else. */
  readonly messageHash: string;
  /** The proof that vouches for a message without a signature of its own, to be used up by it. */
  readonly proof: CarriedProof | undefined;
}

/**
 * @param message as parsed @param raw as it came, which is what was signed
 * @throws Fault UNVERIFIED that names the check that failed
 */
function proveSender(gate: Gate, request: GatewayRequest, message: Message, raw: Record<string, unknown>): Sender {
  if (message.to !== gate.settings.did) {
    throw new Fault('UNVERIFIED', `"to" must be this node's DID, ${gate.settings.did}.`);
  }
  requireNamed(request, message.from);
  if (message.proof !== undefined) {
    const check = checkProof(gate.suite, raw, { proofPurpose: 'authentication', did: message.from });
    if (!check.ok) throw new Fault('UNVERIFIED', `The message's proof does not hold: ${check.reason}`);
    return { messageHash: `${toHex(check.digest)}.${message.proof.jws}`, proof: undefined };
  }
  const proof = request.proof();
  if (proof === undefined) {
    throw new Fault('UNVERIFIED', 'Sign the message (Ed25519Signature2020), or send X-DID-Proof.');
  }
  if (proof.did !== message.from) throw new Fault('UNVERIFIED', `"from" must be the DID that X-DID-Proof proves.`);
  return { messageHash: gate.suite.sha256Hex(canonical(raw)), proof };
}

/** @throws Fault UNVERIFIED when X-Agent-DID names another agent than the one that proved itself */
export function requireNamed(request: GatewayRequest, did: string): void {
  const named = request.namedDid();
  if (named !== undefined && named !== did) {
    throw new Fault('UNVERIFIED', `X-Agent-DID names ${named}, the proof is by ${did}.`);
  }
}
