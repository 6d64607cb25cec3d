/** Credentials (W3C Verifiable Credentials Data Model 1.1): their schema, issuing and checking, and what tells one of 2.0. */
import { z } from 'zod';
import { compact } from '../wire/compact.ts';
import { Fault } from '../wire/fault.ts';
import { anyObject } from '../wire/json.ts';
import type { SignedDocument } from './canonical.ts';
import { VCDM_CONTEXT } from './dataIntegrity.ts';
import { canonicalDid } from './did.ts';
import type { Signer, Suite } from './ed25519.ts';
import { checkParsedProof, makeProof, Proof } from './proof.ts';

const VC_CONTEXT = 'https://www.w3.org/2018/credentials/v1';
const PROOF_CONTEXT = 'https://w3id.org/security/suites/ed25519-2020/v1';
const DEFAULT_SKEW_SECONDS = 60;

export const Credential = z.looseObject({
  '@context': z.array(z.string()).refine((contexts) => contexts[0] === VC_CONTEXT, `must begin with ${VC_CONTEXT}`),
  id: z.string().optional(),
  type: z.array(z.string()).refine((types) => types.includes('VerifiableCredential'), 'must name VerifiableCredential'),
  issuer: z
    .string()
    .max(512)
    .regex(/^did:(key|web):/, 'must be a did:key or did:web'),
  issuanceDate: z.iso.datetime({ offset: true }),
  expirationDate: z.iso.datetime({ offset: true }).optional(),
  credentialSubject: anyObject(),
  proof: Proof,
});
export type Credential = z.infer<typeof Credential>;

interface CredentialContent {
  /** `urn:uuid:…`; left out when not given. */
  readonly id?: string | undefined;
  readonly type: 'IntentMandate' | 'CartMandate' | 'PaymentMandate';
  readonly subject: Record<string, unknown>;
  /** A did:web that lists the signer's key; the signer's own DID when not given. */
  readonly issuer?: string | undefined;
  /** Milliseconds since the epoch. */
  readonly issuedAt: number;
  /** Milliseconds since the epoch; the credential does not expire when not given. */
  readonly expiresAt?: number | undefined;
}

/**
 * Issues a credential in the signer's name.
 * @throws Fault BAD_REQUEST when the subject has no canonical JSON
 */
export function issueCredential(suite: Suite, signer: Signer, content: CredentialContent): SignedDocument<Credential> {
  const issuanceDate = new Date(content.issuedAt).toISOString();
  const unsigned = compact({
    '@context': [VC_CONTEXT, PROOF_CONTEXT],
    id: content.id,
    type: ['VerifiableCredential', content.type],
    issuer: content.issuer ?? signer.did,
    issuanceDate,
    expirationDate: content.expiresAt === undefined ? undefined : new Date(content.expiresAt).toISOString(),
    credentialSubject: content.subject,
  });
  const options = { created: issuanceDate, proofPurpose: 'assertionMethod' } as const;
  const { proof, text } = makeProof(suite, signer, unsigned, options);
  return { document: Object.assign(unsigned, { proof }), text };
}

export interface CredentialExpectation {
  readonly type: string;
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** How far the issuer's clock may run ahead of ours; 60 when not given. */
  readonly skewSeconds?: number | undefined;
  /** The did:key that signs for a did:web issuer; undefined when it is not known. */
  readonly resolveKey?: ((issuer: string) => string | undefined) | undefined;
}

type CredentialCheck =
  | {
      readonly ok: true;
      /** In canonical spelling. */
      readonly issuer: string;
      /** The document that was given. */
      readonly credential: Credential;
      /** SHA-256 of its canonical form without the proof. */
      readonly documentHash: Uint8Array;
      /** Whether its expirationDate has passed, which the caller must consider. */
      readonly expired: boolean;
    }
  | { readonly ok: false; readonly reason: string };

/**
 * Checks a credential: its shape and type, that it was not issued in the future, and its issuer's proof.
 * @returns the result, or one sentence naming the check that failed
 */
export function checkCredential(suite: Suite, vc: unknown, options: CredentialExpectation): CredentialCheck {
  const parsed = Credential.safeParse(vc);
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    return fail(`The credential is malformed at "${issue?.path.join('.')}": ${issue?.message}.`);
  }
  // The proof covers the document as received, so that is what is checked and returned.
  const credential = vc as Credential;
  if (!credential.type.includes(options.type)) return fail(`The credential is not of type ${options.type}.`);
  const latestMs = options.now + (options.skewSeconds ?? DEFAULT_SKEW_SECONDS) * 1000;
  if (Date.parse(credential.issuanceDate) > latestMs) return fail("The credential's issuanceDate lies in the future.");
  const issuer = keyOfIssuer(credential.issuer, options);
  if ('reason' in issuer) return fail(issuer.reason);
  const proof = checkParsedProof(suite, credential, parsed.data.proof, { proofPurpose: 'assertionMethod', ...issuer });
  if (!proof.ok) return proof;
  const { expirationDate } = credential;
  const expired = expirationDate !== undefined && Date.parse(expirationDate) <= options.now;
  const documentHash = proof.digest.subarray(32);
  return { ok: true, issuer: issuer.controller ?? issuer.did, credential, documentHash, expired };
}

type Issuer = { readonly did: string; readonly controller?: string } | { readonly reason: string };

/** The key that an issuer signs by: that of a did:key, or the one that is known of a did:web. */
export function keyOfIssuer(issuer: string, options: Pick<CredentialExpectation, 'resolveKey'>): Issuer {
  try {
    if (issuer.startsWith('did:key:')) return { did: canonicalDid(issuer) };
    const key = options.resolveKey?.(issuer);
    if (key === undefined) return { reason: `The key of the issuer ${issuer} is not known.` };
    return { did: canonicalDid(key), controller: issuer };
  } catch (error) {
    if (error instanceof Fault) return { reason: `The credential's issuer cannot be read: ${error.message}` };
    throw error;
  }
}

function fail(reason: string): { readonly ok: false; readonly reason: string } {
  return { ok: false, reason };
}

/** A document of the data model 2.0 names its context first. */
export function isOfDataModel2(credential: Readonly<Record<string, unknown>>): boolean {
  const contexts = credential['@context'];
  return Array.isArray(contexts) && contexts[0] === VCDM_CONTEXT;
}
