/** What an agent presents to pay: a chain of AP2, or the layers of Verifiable Intent. Both are read and verified the same way from here on. */
import { Fault } from '../wire/fault.ts';
import { type Ap2Verifier, verifyAp2Chain } from './ap2.ts';
import type { ChainResult } from './mandateChain.ts';
import { isObject, parseChain, parseTokens, type SdJwt } from './sdJwt.ts';
import { type IntentLayers, verifyIntent } from './vi.ts';

/** Exactly one of both. */
interface PresentedMandate {
  readonly paymentMandate?: string | undefined;
  readonly verifiableIntent?: Pick<IntentLayers, 'l1' | 'l2' | 'l3Payment'> | undefined;
}

/** A mandate taken apart, nothing verified. */
interface MandateTokens {
  readonly profile: 'ap2' | 'vi';
  /** What a trusted issuer must have signed. */
  readonly root: SdJwt;
  /** What a receipt refers to: the closed mandate. */
  readonly leaf: SdJwt;
  verify(verifier: Ap2Verifier): ChainResult;
}

/**
 * @throws Fault BAD_REQUEST for a text that is no chain of mandates, is beyond the bounds, or belongs in the other member
 */
export function readPresented({ paymentMandate, verifiableIntent }: PresentedMandate): MandateTokens {
  if (verifiableIntent !== undefined) return readIntent(verifiableIntent);
  const tokens = parseChain(paymentMandate ?? '');
  const [root, leaf] = [tokens[0], tokens.at(-1)] as [SdJwt, SdJwt];
  if (isLayer(root)) {
    throw misplaced(
      'paymentMandate',
      'begins with a layer of Verifiable Intent; send l1, l2, l3Payment in verifiableIntent',
    );
  }
  return { profile: 'ap2', root, leaf, verify: (verifier) => verifyAp2Chain(paymentMandate ?? '', verifier) };
}

function readIntent(layers: NonNullable<PresentedMandate['verifiableIntent']>): MandateTokens {
  for (const [name, text] of Object.entries(layers)) {
    if (text?.includes('~~')) {
      throw misplaced(`verifiableIntent.${name}`, 'is a chain of AP2, joined by ~~; send it as paymentMandate');
    }
  }
  const { l1, l2, l3Payment } = parseTokens({ ...layers });
  const [root, person] = [l1, l2] as [SdJwt, SdJwt];
  if (Object.hasOwn(root.payload, 'delegate_payload')) {
    throw misplaced('verifiableIntent.l1', 'is a mandate and no credential; a chain of AP2 is sent as paymentMandate');
  }
  return { profile: 'vi', root, leaf: l3Payment ?? person, verify: (verifier) => verifyIntent(layers, verifier) };
}

/** A credential delegates nothing itself, and a layer 2 a pair, bound to the credential; the first mandate of AP2 does neither. */
function isLayer({ payload }: SdJwt): boolean {
  const { delegate_payload: delegate } = payload;
  if (delegate === undefined) return isObject(payload['cnf']);
  return Array.isArray(delegate) && delegate.length > 1 && payload['sd_hash'] !== undefined;
}

function misplaced(path: string, message: string): Fault {
  return new Fault('BAD_REQUEST', `${path} ${message}.`, [{ path, message }]);
}
