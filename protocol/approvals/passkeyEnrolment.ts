/**
 * The node's statement that a passkey approves what an agent buys for a principal, as a credential of the W3C data model 2.0 with a
 * Data Integrity proof. Agents are known at one owner of a node alone, so no owner gets a statement about the purchases of another one.
 */
import { z } from 'zod';
import { checkForms } from '../credential/checkForms.ts';
import { secureDocument, VCDM_CONTEXT } from '../credential/dataIntegrity.ts';
import type { Signer, Suite } from '../credential/ed25519.ts';
import { PasskeyOf } from '../presence.ts';
import type { TouchPerson } from './personText.ts';

/** Where a node serves the terms of enrolments, below its public address: of those that say who holds the passkey, and the first ones. */
export const ENROLMENTS_CONTEXT_PATH = '/contexts/enrolments/v2.jsonld';
export const FIRST_ENROLMENTS_CONTEXT_PATH = '/contexts/enrolments/v1.jsonld';

const TYPE = 'PasskeyEnrolment';

const EnrolmentSubject = z.looseObject({
  principalDid: z.string(),
  agentDid: z.string(),
  /** RFC 7638, SHA-256, base64url. */
  jwkThumbprint: z.string(),
  enrolledAt: z.iso.datetime({ offset: true }),
  /** Whose passkey it is, and who holds it: not in the first ones. */
  personDid: z.string().optional(),
  passkeyOf: PasskeyOf.optional(),
});
type EnrolmentSubject = z.infer<typeof EnrolmentSubject>;

/**
 * Signing again gives the same bytes, as everything in it is of the moment of the enrolment.
 * @param baseUrl of the node, without a trailing slash
 */
export function signEnrolment(suite: Suite, issuer: Signer, subject: EnrolmentSubject, baseUrl: string) {
  // A touch from before the evidence said whose it was.
  const isFirst = subject.personDid === undefined;
  const document = {
    '@context': [VCDM_CONTEXT, baseUrl + (isFirst ? FIRST_ENROLMENTS_CONTEXT_PATH : ENROLMENTS_CONTEXT_PATH)],
    id: `urn:countersign:enrolment:${subject.jwkThumbprint}`,
    type: ['VerifiableCredential', TYPE],
    issuer: issuer.did,
    validFrom: subject.enrolledAt,
    credentialSubject: { ...subject },
  };
  return secureDocument(suite, issuer, document, subject.enrolledAt);
}

interface EnrolmentExpectation {
  readonly issuers: readonly string[];
  readonly principalDid: string | undefined;
  readonly agentDid: string;
  readonly jwkThumbprint: string;
  /** ISO 8601: of the decision, before which the passkey was enrolled. */
  readonly decidedAt: string;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/** Who holds the key, where the enrolment says it; or one part of a sentence that says why it does not show whose key it is. */
type EnrolmentCheck =
  | { readonly ok: true; readonly person: TouchPerson | undefined }
  | { readonly ok: false; readonly reason: string };

/** @param enrolment not trusted */
export function checkEnrolment(suite: Suite, enrolment: object, expected: EnrolmentExpectation): EnrolmentCheck {
  const not = (reason: string): EnrolmentCheck => ({ ok: false, reason });
  const check = checkForms(suite, enrolment, { type: TYPE, now: expected.now });
  if (!check.ok) return not(`its enrolment does not hold: ${check.reason.replace(/\.$/, '')}`);
  if (!expected.issuers.includes(check.issuer)) return not(`its enrolment is by ${check.issuer}, who is not trusted`);
  const subject = EnrolmentSubject.safeParse(check.subject).data;
  if (check.form !== 'vc' || subject === undefined || check.expired)
    return not('its enrolment cannot be read, or has ended');
  const other = (['jwkThumbprint', 'principalDid', 'agentDid'] as const).find(
    (name) => subject[name] !== expected[name],
  );
  if (other !== undefined) return not(`its enrolment is of another ${other}`);
  const isLate = Date.parse(subject.enrolledAt) > Date.parse(expected.decidedAt);
  if (isLate) return not('the passkey was enrolled after the decision');
  const { personDid: did, passkeyOf } = subject;
  return { ok: true, person: did === undefined || passkeyOf === undefined ? undefined : { did, passkeyOf } };
}

const TERMS = 'urn:countersign:enrolments:v1:';

/** The terms of enrolments for JSON-LD processors. They never change: a new member is a new version at another address. */
export const FIRST_ENROLMENTS_CONTEXT = {
  '@context': {
    '@version': 1.1,
    '@protected': true,
    [TYPE]: TERMS + TYPE,
    principalDid: { '@id': `${TERMS}principalDid`, '@type': '@id' },
    agentDid: { '@id': `${TERMS}agentDid`, '@type': '@id' },
    jwkThumbprint: `${TERMS}jwkThumbprint`,
    enrolledAt: { '@id': `${TERMS}enrolledAt`, '@type': 'http://www.w3.org/2001/XMLSchema#dateTime' },
  },
} as const;

export const ENROLMENTS_CONTEXT = {
  '@context': {
    ...FIRST_ENROLMENTS_CONTEXT['@context'],
    personDid: { '@id': `${TERMS}personDid`, '@type': '@id' },
    passkeyOf: `${TERMS}passkeyOf`,
  },
} as const;
