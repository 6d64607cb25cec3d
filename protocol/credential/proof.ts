/** Proofs on documents: Ed25519Signature2020 whose signature is a detached JWS (RFC 7515, RFC 7797). */
import { z } from 'zod';
import { ED25519_NAMES } from '../wire/algorithmName.ts';
import { Fault } from '../wire/fault.ts';
import { canonicalAround, type SignedDocument } from './canonical.ts';
import { canonicalDid, keyId, keyOfDid } from './did.ts';
import { SIGNATURE_BYTES, type Signer, type Suite } from './ed25519.ts';
import { fromBase64url, toBase64url } from './encodings.ts';

const ProofPurpose = z.enum(['assertionMethod', 'authentication']);
type ProofPurpose = z.infer<typeof ProofPurpose>;

export const Proof = z.strictObject({
  type: z.literal('Ed25519Signature2020'),
  created: z.iso.datetime({ offset: true }),
  verificationMethod: z.string().max(512),
  proofPurpose: ProofPurpose,
  jws: z.string().max(512),
});
export type Proof = z.infer<typeof Proof>;

const utf8 = new TextEncoder();
interface ProofHeader {
  /** What a proof's jws begins with. */
  readonly prefix: string;
  /** What is signed before the digest. */
  readonly signed: Uint8Array;
}

/** Headers are compared as text and never parsed, so that no signer can choose another algorithm. */
function headerOf(alg: string): ProofHeader {
  const header = toBase64url(utf8.encode(`{"alg":"${alg}","b64":false,"crit":["b64"]}`));
  return { prefix: `${header}..`, signed: utf8.encode(`${header}.`) };
}

const HEADER = headerOf('EdDSA');
const READ_HEADERS = ED25519_NAMES.map(headerOf);
const HASH_BYTES = 32;

interface SigningOptions {
  /** ISO 8601, part of what is signed. */
  readonly created: string;
  readonly proofPurpose: ProofPurpose;
  /** Signed documents inside this one, whose texts are reused. */
  readonly parts?: readonly SignedDocument[];
}

/**
 * Signs a document.
 * @param document any JSON object; a proof it already has is replaced
 * @returns the document with the signer's proof, and its canonical JSON
 * @throws Fault BAD_REQUEST when the document has no canonical JSON
 */
export function signDocument<T extends object>(
  suite: Suite,
  signer: Signer,
  document: T,
  options: SigningOptions,
): SignedDocument<T & { proof: Proof }> {
  const { proof, text } = makeProof(suite, signer, document, options);
  return { document: { ...document, proof }, text };
}

/** As signDocument, for a document that no other code holds: the proof, and the canonical JSON of the document with it. */
export function makeProof(
  suite: Suite,
  signer: Signer,
  document: object,
  { created, proofPurpose, parts }: SigningOptions,
): { readonly proof: Proof; readonly text: string } {
  const unsigned = {
    type: 'Ed25519Signature2020',
    created,
    verificationMethod: keyId(signer.did),
    proofPurpose,
  } as const;
  const around = canonicalAround(document, 'proof', parts);
  const input = signingInput(suite, HEADER, unsigned, around.without);
  const proof: Proof = { ...unsigned, jws: HEADER.prefix + toBase64url(signer.sign(input)) };
  return { proof, text: around.with(proof) };
}

interface ProofExpectation {
  readonly proofPurpose: ProofPurpose;
  /** The did:key whose key must have signed. */
  readonly did: string;
  /** A DID whose document lists that key; `verificationMethod` may then also be `<controller>#<anything>`. */
  readonly controller?: string | undefined;
}

type ProofCheck =
  /** `digest` is the 64 signed bytes: SHA-256 of the proof's own members, then SHA-256 of the document. */
  { readonly ok: true; readonly digest: Uint8Array } | { readonly ok: false; readonly reason: string };

/**
 * Checks a document's proof. Whether its `created` time is acceptable is the caller's decision.
 * @returns the digest that was signed, or one sentence naming the check that failed
 */
export function checkProof(
  suite: Suite,
  document: Readonly<Record<string, unknown>>,
  options: ProofExpectation,
): ProofCheck {
  if (document.proof === undefined) return fail('There is no proof.');
  const parsed = Proof.safeParse(document.proof);
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    return fail(`The proof is malformed at "${['proof', ...(issue?.path ?? [])].join('.')}": ${issue?.message}.`);
  }
  return checkParsedProof(suite, document, parsed.data, options);
}

/** As `checkProof`, for a document whose proof was parsed already. */
export function checkParsedProof(
  suite: Suite,
  document: Readonly<Record<string, unknown>>,
  proof: Proof,
  options: ProofExpectation,
): ProofCheck {
  const { jws } = proof;
  if (proof.proofPurpose !== options.proofPurpose) {
    return fail(`The proof's purpose must be ${options.proofPurpose}, not ${proof.proofPurpose}.`);
  }
  if (!namesKey(proof.verificationMethod, options)) {
    return fail(`The proof's verificationMethod must be the key of ${options.controller ?? options.did}.`);
  }
  const header = READ_HEADERS.find(({ prefix }) => jws.startsWith(prefix));
  if (header === undefined) {
    return fail('The proof\'s jws must have the header {"alg":"EdDSA","b64":false,"crit":["b64"]} and no payload.');
  }
  const signature = fromBase64url(jws.slice(header.prefix.length));
  if (signature?.length !== SIGNATURE_BYTES) return fail("The proof's jws must end in 64 bytes as base64url.");
  return checkSignature(suite, document, { did: options.did, proof, header, signature });
}

function checkSignature(
  suite: Suite,
  document: Readonly<Record<string, unknown>>,
  given: {
    readonly did: string;
    readonly proof: Proof;
    readonly header: ProofHeader;
    readonly signature: Uint8Array;
  },
): ProofCheck {
  try {
    const input = signingInput(suite, given.header, given.proof, canonicalAround(document, 'proof').without);
    return suite.verify(keyOfDid(given.did), input, given.signature)
      ? { ok: true, digest: input.slice(given.header.signed.length) }
      : fail('The signature does not match the document and its proof.');
  } catch (error) {
    if (error instanceof Fault) return fail(error.message);
    throw error;
  }
}

/**
 * The bytes that are signed: the header, a dot and the digest (RFC 7515 section 5.1, RFC 7797).
 * @param proof whose signature is no part of the digest
 * @param content the document's canonical JSON without its proof
 */
function signingInput(suite: Suite, { signed }: ProofHeader, proof: Omit<Proof, 'jws'>, content: string): Uint8Array {
  const { created, proofPurpose, type, verificationMethod } = proof;
  // The order of RFC 8785; only these two may hold what has to be escaped, and JSON.stringify does it as the RFC says.
  const own =
    `{"created":${JSON.stringify(created)},"proofPurpose":"${proofPurpose}","type":"${type}",` +
    `"verificationMethod":${JSON.stringify(verificationMethod)}}`;
  const input = new Uint8Array(signed.length + 2 * HASH_BYTES);
  input.set(signed);
  input.set(suite.sha256(own), signed.length);
  input.set(suite.sha256(content), signed.length + HASH_BYTES);
  return input;
}

/** Whether a verification method is the expected key, in either spelling of its DID. */
export function namesKey(
  verificationMethod: string,
  { did, controller }: Pick<ProofExpectation, 'did' | 'controller'>,
): boolean {
  if (verificationMethod === keyId(did)) return true;
  const [subject, fragment, ...more] = verificationMethod.split('#');
  if (subject === undefined || fragment === undefined || fragment === '' || more.length > 0) return false;
  if (controller !== undefined && subject === controller) return true;
  try {
    return canonicalDid(subject) === did && canonicalDid(`did:key:${fragment}`) === did;
  } catch {
    return false;
  }
}

function fail(reason: string): { readonly ok: false; readonly reason: string } {
  return { ok: false, reason };
}
