/** Verifies a passkey assertion against its challenge, and signs the proof of human presence. */

import { hashText } from '../../../protocol/credential/canonical.ts';
import { signDocument } from '../../../protocol/credential/proof.ts';
import type { AssertionCredential, PresenceOptions } from '../../../protocol/passkey.ts';
import { HP_PROOF_SECONDS, type HpProof, type PresenceBinding } from '../../../protocol/presence.ts';
import { Fault } from '../../../protocol/wire/fault.ts';
import { isoTime } from '../../../protocol/wire/time.ts';
import { assertionOptions, checkAssertion } from '../../access/presence/assertion.ts';
import { relyingPartyOf } from '../../access/presence/relyingParty.ts';
import {
  findPasskeyByCredential,
  type Holder,
  type PasskeyRow,
  recordPasskeyUse,
} from '../../store/statements/people/passkeys.ts';
import type { PresenceChallengeRow } from '../../store/statements/people/presenceChallenges.ts';
import { insertIssuedPresence } from '../../store/statements/people/presenceIssued.ts';
import type { Script } from '../../store/store.ts';
import type { Deps } from '../../usecase/deps.ts';
import { approversFor, listApprovingPasskeys } from './holder.ts';
import { type ChallengeFacts, failed, knownPasskey, openChallenge } from './presenceChallenge.ts';
import { isOfOut } from './touchPerson.ts';

const MISSING: Readonly<Record<Holder['kind'], string>> = {
  agent: 'No passkey is enrolled for this agent yet; its owner needs an enrollment link first.',
  principal: 'No passkey is enrolled yet for the person or company whose money it is; an enrollment link comes first.',
  user: 'You have no passkey yet; add one first.',
};

/**
 * @param among the passkeys that the browser is offered; those that answer for the holder when absent
 * @throws Fault CONFLICT when there is none
 */
export function* beginAssertion(
  deps: Pick<Deps, 'newId' | 'newToken' | 'settings' | 'suite'>,
  facts: ChallengeFacts,
  now: number,
  among?: readonly PasskeyRow[],
): Script<PresenceOptions> {
  const passkeys = among ?? (yield* listApprovingPasskeys(facts.tenantId, facts.holder));
  if (passkeys.length === 0) throw new Fault('CONFLICT', MISSING[facts.holder.kind]);
  const { id, challenge } = yield* openChallenge(deps, facts, now);
  const party = relyingPartyOf(deps.settings.baseUrl);
  return { challengeId: id, publicKey: assertionOptions(party, challenge, passkeys.map(knownPasskey)) };
}

/** Whether the assertion of a passkey is taken for a holder. */
type TakenPasskeys = (passkey: PasskeyRow, holder: Holder) => Script<boolean>;

interface Assertion {
  readonly passkey: PasskeyRow;
  /** For whom it answers. */
  readonly holder: Holder;
  readonly isTaken: TakenPasskeys;
  readonly counter: number;
  readonly facts: AssertionFacts;
}

/** What a touch is recorded with, so that a stranger can check the passkey's own signature (base64url where binary). */
interface AssertionFacts {
  readonly passkeyId: string;
  readonly credentialId: string;
  /** When the passkey was enrolled (ISO 8601): a removed one leaves no row that says so. */
  readonly enrolledAt: string;
  /** COSE key (RFC 9052). */
  readonly publicKey: string;
  readonly authenticatorData: string;
  readonly clientDataJSON: string;
  readonly signature: string;
  /** Where this node is, and the passkey was used; its host name is the RP id. */
  readonly origin: string;
  /** The challenge is SHA-256(random ‖ SHA-256(JCS(binding))). */
  readonly challenge: { readonly random: string; readonly binding: PresenceBinding };
}

/**
 * Checks an assertion against its challenge (W3C Web Authentication section 7.2).
 * @param isTaken which passkeys are, at the check and once more when the use is recorded
 * @throws Fault BAD_REQUEST that says which check failed
 */
export async function verifyAssertion(
  deps: Pick<Deps, 'settings' | 'store'>,
  challenge: PresenceChallengeRow,
  credential: AssertionCredential,
  isTaken: TakenPasskeys = approves,
): Promise<Assertion> {
  const { tenant_id: tenantId, holder_kind: kind, holder_did: did } = challenge;
  const passkey = await deps.store.read(() => findTaken(tenantId, { kind, did }, credential.id, isTaken));
  if (passkey === undefined) throw failed(`it is not enrolled for this ${kind}`);
  const party = relyingPartyOf(deps.settings.baseUrl);
  const check = await checkAssertion(party, credential, challenge.challenge, knownPasskey(passkey));
  if (!check.ok) throw failed(check.reason);
  const { authenticatorData, clientDataJSON, signature } = credential.response;
  const facts = {
    passkeyId: passkey.id,
    credentialId: passkey.credential_id,
    enrolledAt: isoTime(passkey.created_at),
    publicKey: passkey.public_key,
    authenticatorData,
    clientDataJSON,
    signature,
    origin: party.origin,
    challenge: { random: challenge.random, binding: JSON.parse(challenge.binding) as PresenceBinding },
  };
  return { passkey, holder: { kind, did }, isTaken, counter: check.counter, facts };
}

function* findTaken(
  tenantId: string,
  holder: Holder,
  credentialId: string,
  isTaken: TakenPasskeys,
): Script<PasskeyRow | undefined> {
  const passkey = yield* findPasskeyByCredential(tenantId, credentialId);
  return passkey !== undefined && (yield* isTaken(passkey, holder)) ? passkey : undefined;
}

/** Whether a passkey answers for a holder, as things stand. */
export function* approves(passkey: PasskeyRow, holder: Holder): Script<boolean> {
  if (yield* isOfOut(passkey)) return false;
  const { tenant_id: tenantId, holder_kind: kind, holder_did: did } = passkey;
  const approvers = yield* approversFor(tenantId, holder);
  return approvers.some((each) => each.kind === kind && each.did === did);
}

/**
 * Records the use of a passkey. An assertion counts once, however many requests carry it, and not where its user was removed
 * or owns the agent no more since it was checked.
 * @throws Fault BAD_REQUEST
 */
export function* recordAssertion(assertion: Assertion, now: number): Script<void> {
  const { passkey, holder, isTaken } = assertion;
  if (!(yield* isTaken(passkey, holder))) throw failed(`it is enrolled for this ${holder.kind} no more`);
  const counter = { before: passkey.counter, after: assertion.counter };
  if (!(yield* recordPasskeyUse(passkey.id, counter, now))) {
    throw failed('it was removed or used elsewhere in the meantime');
  }
}

/**
 * The proof of human presence, signed by the issuer; the node believes only what it keeps here.
 * @param id where a touch has one already
 */
export function* issuePresence(
  deps: Pick<Deps, 'issuer' | 'newId' | 'suite'>,
  tenantId: string,
  subject: Pick<
    HpProof,
    'agentDid' | 'approvals' | 'approvedBy' | 'passkeyOf' | 'principalDid' | 'instrument' | 'intentId' | 'cartHash'
  >,
  credentialId: string,
  now: number,
  id = deps.newId('hp_'),
): Script<HpProof> {
  const verifiedAt = isoTime(now);
  const expiresAt = now + HP_PROOF_SECONDS * 1000;
  const statement = {
    type: 'HumanPresenceProof' as const,
    id,
    issuer: deps.issuer.did,
    ...subject,
    credentialId,
    verifiedAt,
    expiresAt: isoTime(expiresAt),
  };
  const options = { created: verifiedAt, proofPurpose: 'assertionMethod' as const };
  const { document, text } = signDocument(deps.suite, deps.issuer, statement, options);
  const hash = hashText(deps.suite, text);
  yield* insertIssuedPresence({ tenant_id: tenantId, id: document.id, hash, expires_at: expiresAt });
  return document;
}
