/** The methods of the gateway, each a translation into a use case. */
import { z } from 'zod';
import { Fault } from '../../protocol/wire/fault.ts';
import { type MandateType, Message } from '../../protocol/wire/message.ts';
import { agentCaller } from '../handlers/access/agentCaller.ts';
import type { Deps } from '../handlers/core/deps.ts';
import { bare } from '../handlers/core/envelope.ts';
import { parseInput } from '../handlers/core/parseInput.ts';
import { perform } from '../handlers/core/perform.ts';
import { table } from '../handlers/core/table.ts';
import type { UseCase } from '../handlers/core/useCase.ts';
import { type GatewayRequest, requireNamed, spendProof } from './gatewayRequest.ts';
import { messageEnvelope, type RpcWire } from './messageEnvelope.ts';
import { verifySender } from './verifySender.ts';

type Method = (deps: Deps, request: GatewayRequest, params: unknown) => Promise<RpcWire>;

export const USE_CASE_OF = {
  IntentMandate: 'issueIntent',
  CartMandate: 'validateCart',
  PaymentMandate: 'mandatePayment',
} as const satisfies Record<MandateType, keyof typeof table>;

const MessageParams = z.object({ message: Message });

const message: Method = async (deps, request, params) => {
  const parsed = parseInput(MessageParams, params).message;
  const raw = (params as { readonly message: Record<string, unknown> }).message;
  const sender = verifySender(deps, request, parsed, raw);
  request.charge(parsed.from);
  const caller = await agentCaller(deps, parsed.from, 'AGENT_UNKNOWN');
  const name = USE_CASE_OF[parsed.type];
  const useCase = table[name] as UseCase;
  const input = parseInput(useCase.input, parsed.body);
  const envelope = messageEnvelope(deps, caller, request, parsed, sender, useCase.secretAnswer === true);
  return (await perform(deps, name, { caller, input, envelope })).wire;
};

/** A session method is vouched for by X-DID-Proof alone. */
function sessionMethod(name: 'createSession' | 'getSession'): Method {
  return async (deps, request, params) => {
    const proof = request.proof();
    if (proof === undefined) throw new Fault('UNVERIFIED', 'Send X-DID-Proof to vouch for this request.');
    requireNamed(request, proof.did);
    request.charge(proof.did);
    const caller = await agentCaller(deps, proof.did, 'AGENT_UNKNOWN');
    const useCase = table[name] as UseCase;
    const input = parseInput(useCase.input, params ?? {});
    await deps.store.write(caller.tenantId, () => spendProof(request));
    return { result: (await perform(deps, name, { caller, input, envelope: bare() })).wire };
  };
}

export const methods: Readonly<Record<string, Method>> = {
  'a2a/message': message,
  'a2a/session.create': sessionMethod('createSession'),
  'a2a/session.get': sessionMethod('getSession'),
};
