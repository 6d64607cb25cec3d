/** Intents as requests bring them: what a credential says of itself, and whether this node issued it. */
import { canonical, canonicalText } from '../../../protocol/credential/canonical.ts';
import { type Credential, checkCredential } from '../../../protocol/credential/vc.ts';
import { retirementFault } from '../../../protocol/evidence/rotation.ts';
import { Fault } from '../../../protocol/wire/fault.ts';
import { isId } from '../../../protocol/wire/id.ts';
import { type Caller, requireActsFor } from '../../access/caller.ts';
import { listTransaction } from '../../store/statements/evidence/events.ts';
import type { IntentRow } from '../../store/statements/purchases/intents.ts';
import type { Script } from '../../store/store.ts';
import { type Deps, issuersOf } from '../../usecase/deps.ts';

type IntentVc = Readonly<Record<string, unknown>>;
type VerifyDeps = Pick<Deps, 'evidence' | 'issuer' | 'suite'>;

/** The intent that a cart is for. */
export interface ParsedIntent {
  readonly mandateId: string;
  readonly agentDid: string;
  readonly principalDid: string;
  /** As the request brings it; absent where the row was found by its id, so that only the row says anything. */
  readonly intentVc?: IntentVc;
}

/** Printable ASCII alone, as every DID is: no text with other characters gets to a statement before it is verified. */
const DID = /^did:[!-~]+$/;

/**
 * What a credential says, for requireIssued to find its row by and to verify. One that names no intent as this node does is verified
 * at once.
 * @throws Fault BAD_REQUEST
 */
export function readIntent(deps: VerifyDeps & Pick<Deps, 'clock'>, intentVc: IntentVc): ParsedIntent {
  const subject: Readonly<Record<string, unknown>> = Object(intentVc['credentialSubject']);
  const { mandateId, agentDid, principalDid } = subject;
  const isNamed = typeof mandateId === 'string' && isId('intent_', mandateId) && isDid(agentDid) && isDid(principalDid);
  if (!isNamed) verifyIntent(deps, intentVc, deps.clock());
  return { mandateId: String(mandateId), agentDid: String(agentDid), principalDid: String(principalDid), intentVc };
}

function isDid(value: unknown): boolean {
  return typeof value === 'string' && DID.test(value);
}

/**
 * Checks that this node issued the credential to the caller, and that it names whom the row names. Where a former key signed it, it must be
 * the very one in the row, since the holder of that key can sign others; and where that key was stolen, the chain must have it too.
 * @param intent the row that the credential names @param now milliseconds since the epoch
 * @throws Fault BAD_REQUEST, FORBIDDEN for an intent that is not the caller's, NOT_FOUND where there is no row
 */
export function* requireIssued(
  deps: VerifyDeps,
  caller: Caller,
  intent: IntentRow | undefined,
  given: ParsedIntent,
  now: number,
): Script<IntentRow> {
  const issuer = issuerOf(deps, intent, given, now);
  requireActsFor(caller, given.agentDid);
  if (intent === undefined) throw new Fault('NOT_FOUND', `There is no intent ${given.mandateId}.`);
  // The row decides whose intent it is, since a stolen key may sign another agent's name into the credential.
  requireActsFor(caller, intent.agent_did);
  const namesOthers = given.agentDid !== intent.agent_did || given.principalDid !== intent.principal_did;
  if (namesOthers) throw refused('this node never issued it');
  const rotation = deps.evidence.rotations.find(({ from }) => from === issuer);
  if (rotation === undefined) return intent;
  const stored = canonical(JSON.parse(intent.credential));
  if (given.intentVc !== undefined && canonical(given.intentVc) !== stored) throw refused('this node never issued it');
  if (rotation.compromised !== true) return intent;
  const events = yield* listTransaction(intent.tenant_id, intent.transaction_id);
  const isHeld = events.some(
    ({ event_type: type, data }) => type === 'INTENT_ISSUED' && JSON.parse(data).mandateId === intent.mandate_id,
  );
  if (!isHeld) throw refused('its key was stolen, and the evidence does not have it');
  return intent;
}

/** @returns the DID whose key signed the intent @throws Fault BAD_REQUEST unless it is one that this node has signed by */
function issuerOf(deps: VerifyDeps, intent: IntentRow | undefined, { intentVc }: ParsedIntent, now: number): string {
  if (intentVc !== undefined) {
    const isStored = intent !== undefined && isStoredIntent(deps, intent, intentVc, now);
    return isStored ? deps.issuer.did : verifyIntent(deps, intentVc, now);
  }
  // Only a former key makes a difference.
  const isByPresentKey = intent === undefined || deps.evidence.rotations.length === 0;
  return isByPresentKey ? deps.issuer.did : JSON.parse(intent.credential).issuer;
}

/**
 * Whether a credential is, member for member, what the present key signed into the row, so that verifyIntent would accept it: then its
 * signature is not verified again. An intent that is dated ahead of the clock is left to verifyIntent.
 */
function isStoredIntent(
  { issuer }: Pick<Deps, 'issuer'>,
  row: Pick<IntentRow, 'credential' | 'created_at'>,
  intentVc: IntentVc,
  now: number,
): boolean {
  if (intentVc['issuer'] !== issuer.did || row.created_at > now) return false;
  return canonicalText(intentVc, []) === row.credential;
}

/** @returns the DID whose key signed it @throws Fault BAD_REQUEST unless this node issued it */
function verifyIntent(deps: VerifyDeps, intentVc: IntentVc, now: number): string {
  const checked = checkCredential(deps.suite, intentVc, { type: 'IntentMandate', now });
  if (!checked.ok) throw refused(checked.reason);
  if (!issuersOf(deps).includes(checked.issuer)) throw refused('it was issued by another node');
  const fault = retirementFault(deps.evidence.rotations, checked.issuer, datesOf(checked.credential));
  if (fault !== undefined) throw refused(fault);
  return checked.issuer;
}

function datesOf({ issuanceDate, proof }: Credential): string[] {
  return [issuanceDate, proof.created];
}

function refused(reason: string): Fault {
  return new Fault('BAD_REQUEST', `The intent credential cannot be accepted: ${reason}`, [
    { path: 'intentVc', message: reason },
  ]);
}
