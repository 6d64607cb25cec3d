/**
 * The node's statement that a passkey approves what an agent buys for a principal, as a credential of the W3C data model 2.0 with a
 * Data Integrity proof. Agents are known at one owner of a node alone, so no owner gets a statement about the purchases of another one.
 */
import { z } from 'zod';
import { checkForms } from '../credential/checkForms.ts';
import { secureDocument, VCDM_CONTEXT } from '../credential/dataIntegrity.ts';
import type { Signer, Suite } from '../credential/ed25519.ts';

/** Where a node serves the terms of enrolments, below its public address. */
export const ENROLMENTS_CONTEXT_PATH = '/contexts/enrolments/v1.jsonld';

const TYPE = 'PasskeyEnrolment';

const EnrolmentSubject = z.looseObject({
  principalDid: z.string(),
  agentDid: z.string(),
  /** RFC 7638, SHA-256, base64url. */
  jwkThumbprint: z.string(),
  enrolledAt: z.iso.datetime({ offset: true }),
});
type EnrolmentSubject = z.infer<typeof EnrolmentSubject>;

/**
 * Signing again gives the same bytes, as everything in it is of the moment of the enrolment.
 * @param baseUrl of the node, without a trailing slash
 */
export function signEnrolment(suite: Suite, issuer: Signer, subject: EnrolmentSubject, baseUrl: string) {
  const document = {
    '@context': [VCDM_CONTEXT, baseUrl + ENROLMENTS_CONTEXT_PATH],
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

/** @param enrolment not trusted @returns one part of a sentence that says why it does not show whose key it is */
export function enrolmentFault(suite: Suite, enrolment: object, expected: EnrolmentExpectation): string | undefined {
  const check = checkForms(suite, enrolment, { type: TYPE, now: expected.now });
  if (!check.ok) return `its enrolment does not hold: ${check.reason.replace(/\.$/, '')}`;
  if (!expected.issuers.includes(check.issuer)) return `its enrolment is by ${check.issuer}, who is not trusted`;
  const subject = EnrolmentSubject.safeParse(check.subject).data;
  if (check.form !== 'vc' || subject === undefined || check.expired)
    return 'its enrolment cannot be read, or has ended';
  const other = (['jwkThumbprint', 'principalDid', 'agentDid'] as const).find(
    (name) => subject[name] !== expected[name],
  );
  if (other !== undefined) return `its enrolment is of another ${other}`;
  const isLate = Date.parse(subject.enrolledAt) > Date.parse(expected.decidedAt);
  return isLate ? 'the passkey was enrolled after the decision' : undefined;
}

const TERMS = 'urn:countersign:enrolments:v1:';

/** The terms of enrolments for JSON-LD processors. They never change: a new member is a new version at another address. */
export const ENROLMENTS_CONTEXT = {
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
