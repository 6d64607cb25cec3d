/** Who sent a message: proven by the message's own proof, or by the request that carried it. */

import { canonical } from '../../../protocol/credential/canonical.ts';
import { toHex } from '../../../protocol/credential/encodings.ts';
import { checkProof } from '../../../protocol/credential/proof.ts';
import { Fault } from '../../../protocol/wire/fault.ts';
import type { Message } from '../../../protocol/wire/message.ts';
import type { CarriedProof } from '../../access/didProof.ts';
import type { Gate } from '../shell/gate.ts';
import { type GatewayRequest, requireNamed } from './gatewayRequest.ts';

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
export function proveSender(
  gate: Gate,
  request: GatewayRequest,
  message: Message,
  raw: Record<string, unknown>,
): Sender {
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
