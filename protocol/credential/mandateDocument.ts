/**
 * The statement of a credential as a document of the W3C Verifiable Credentials Data Model 2.0, which other libraries secure and
 * verify. It says the same as the form of the node's own interface, member for member, and is dated a few seconds back.
 */
import { z } from 'zod';
import { compact } from '../wire/compact.ts';
import { anyObject } from '../wire/json.ts';
import { datedBack, isoTime } from '../wire/time.ts';
import { VCDM_CONTEXT } from './dataIntegrity.ts';
import { MANDATES_CONTEXT_PATH } from './mandatesContext.ts';
import { CredentialStatus } from './statusList.ts';
import type { Credential } from './vc.ts';

/** A moment as VCDM 2.0 writes it (section 4.9: dateTimeStamp). */
const Moment = z.iso.datetime({ offset: true });

export const MandateDocument = z.looseObject({
  '@context': z.array(z.string()).refine((contexts) => contexts[0] === VCDM_CONTEXT, `must begin with ${VCDM_CONTEXT}`),
  id: z.string().max(512),
  type: z.array(z.string()).refine((types) => types.includes('VerifiableCredential'), 'must name VerifiableCredential'),
  issuer: z
    .string()
    .max(512)
    .regex(/^did:key:/, 'must be a did:key'),
  validFrom: Moment,
  validUntil: Moment.optional(),
  credentialStatus: CredentialStatus.optional(),
  credentialSubject: anyObject(),
});
export type MandateDocument = z.infer<typeof MandateDocument>;

/** When the document of a credential says that it begins to hold: readers compare it with their own clocks. */
export function validFromOf({ issuanceDate }: Pick<Credential, 'issuanceDate'>): string {
  return isoTime(datedBack(Date.parse(issuanceDate)));
}

/**
 * @param credential in the node's own form @param issuer the node's present DID, which signs the document
 * @param baseUrl of the node, without a trailing slash @param status its place in a status list
 * @param validFrom as validFromOf has it, or as it was when the document was first handed out
 */
export function mandateDocument(
  credential: Credential,
  issuer: string,
  baseUrl: string,
  status: CredentialStatus,
  validFrom: string = validFromOf(credential),
): MandateDocument {
  return compact({
    '@context': [VCDM_CONTEXT, baseUrl + MANDATES_CONTEXT_PATH],
    id: String(credential.id),
    type: credential.type,
    issuer,
    validFrom,
    validUntil: credential.expirationDate,
    credentialStatus: status,
    credentialSubject: credential.credentialSubject,
  });
}
