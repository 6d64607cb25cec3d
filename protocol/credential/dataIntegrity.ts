/** Documents secured by a DataIntegrityProof of the cryptosuite eddsa-jcs-2022 (W3C vc-di-eddsa section 3.3), by a key of a did:key. */
import bs58 from 'bs58';
import { z } from 'zod';
import { Fault } from '../wire/fault.ts';
import { canonical } from './canonical.ts';
import { canonicalDid, keyId, keyOfDid } from './did.ts';
import { SIGNATURE_BYTES, type Signer, type Suite } from './ed25519.ts';
import { namesKey } from './proof.ts';

const IntegrityProof = z.strictObject({
  type: z.literal('DataIntegrityProof'),
  cryptosuite: z.literal('eddsa-jcs-2022'),
  created: z.iso.datetime({ offset: true }),
  verificationMethod: z.string().max(512),
  proofPurpose: z.literal('assertionMethod'),
  '@context': z.array(z.string().max(512)).max(16).readonly(),
  /** Multibase: base58btc. */
  proofValue: z
    .string()
    .max(128)
    .regex(/^z[1-9A-HJ-NP-Za-km-z]+$/),
});
type IntegrityProof = z.infer<typeof IntegrityProof>;

/** What is secured has contexts, which the proof repeats. */
interface Contexts {
  readonly '@context': readonly string[];
}

/** What documents of the Verifiable Credentials Data Model 2.0 name as their first context. */
export const VCDM_CONTEXT = 'https://www.w3.org/ns/credentials/v2';

const HASH_BYTES = 32;

/**
 * @param created ISO 8601
 * @returns the document with the signer's proof
 * @throws Fault BAD_REQUEST when the document has no canonical JSON
 */
export function secureDocument<T extends Contexts>(
  suite: Suite,
  signer: Signer,
  document: T,
  created: string,
): T & { readonly proof: IntegrityProof } {
  const config = {
    type: 'DataIntegrityProof',
    cryptosuite: 'eddsa-jcs-2022',
    created,
    verificationMethod: keyId(signer.did),
    proofPurpose: 'assertionMethod',
    '@context': [...document['@context']],
  } as const;
  const signature = signer.sign(signingInput(suite, config, document));
  return { ...document, proof: { ...config, proofValue: `z${bs58.encode(signature)}` } };
}

type IntegrityCheck =
  /** `documentHash` is SHA-256 of the document without its proof, in canonical form. */
  { readonly ok: true; readonly documentHash: Uint8Array } | { readonly ok: false; readonly reason: string };

/**
 * Checks that a document was secured by the key of a did:key, with the contexts that it has.
 * @param issuer did:key @param controller a did:web whose document lists that key
 * @returns the result, or one sentence naming the check that failed
 */
export function checkIntegrity(
  suite: Suite,
  secured: Contexts & { readonly proof?: unknown },
  issuer: string,
  controller?: string,
): IntegrityCheck {
  const { proof: given, ...document } = secured;
  if (given === undefined) return fail('There is no proof.');
  const parsed = IntegrityProof.safeParse(given);
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    return fail(`The proof is malformed at "${['proof', ...(issue?.path ?? [])].join('.')}": ${issue?.message}.`);
  }
  const { proofValue, ...config } = parsed.data;
  if (JSON.stringify(config['@context']) !== JSON.stringify(document['@context'])) {
    return fail('The contexts of the proof are not those of the document.');
  }
  try {
    const did = canonicalDid(issuer);
    if (!namesKey(config.verificationMethod, { did, controller }))
      return fail(`The proof is not by the key of ${did}.`);
    const signature = bs58.decode(proofValue.slice(1));
    if (signature.length !== SIGNATURE_BYTES) return fail("The proof's proofValue must be 64 bytes.");
    const input = signingInput(suite, config, document);
    if (!suite.verify(keyOfDid(did), input, signature))
      return fail('The signature does not match the document and its proof.');
    return { ok: true, documentHash: input.slice(HASH_BYTES) };
  } catch (error) {
    if (error instanceof Fault) return fail(error.message);
    throw error;
  }
}

/** SHA-256 of the proof's own members, then SHA-256 of the document, both in canonical form. */
function signingInput(suite: Suite, config: object, document: object): Uint8Array {
  const input = new Uint8Array(2 * HASH_BYTES);
  input.set(suite.sha256(canonical(config)));
  input.set(suite.sha256(canonical(document)), HASH_BYTES);
  return input;
}

function fail(reason: string): { readonly ok: false; readonly reason: string } {
  return { ok: false, reason };
}
