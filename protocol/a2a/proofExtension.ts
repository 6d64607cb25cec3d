/** The proof extension of A2A: who sent a message to whom, and who made an artifact for whom, signed by their DID. */
import { z } from 'zod';
import { Did } from '../credential/did.ts';
import type { Signer, Suite } from '../credential/ed25519.ts';
import { toHex } from '../credential/encodings.ts';
import { checkParsedProof, makeProof, Proof } from '../credential/proof.ts';
import { DID_PROOF, isEmpty, normalForm } from './normalForm.ts';

const HASH_BYTES = 32;

/** Members beside these three are signed like any other. */
const Extension = z.looseObject({ from: Did, to: Did, proof: Proof });

type MessageProofCheck =
  | {
      readonly ok: true;
      /** The canonical DID of the sender. */
      readonly from: string;
      /** When it was signed. Whether that is long ago is the core's to judge, which has a clock. */
      readonly created: string;
      /** SHA-256, in hexadecimal, of the canonical JSON of the normal form: a message signed anew has it again. */
      readonly hash: string;
    }
  | { readonly ok: false; readonly reason: string };

/**
 * Checks the proof that a message carries in its metadata, or an artifact.
 * @param message as parsed JSON, in v1.0's spelling
 * @param expected to: the canonical DID that the message must be addressed to
 * @returns undefined for a message without this extension; one sentence where the proof does not hold
 */
export function checkMessageProof(
  suite: Suite,
  message: Readonly<Record<string, unknown>>,
  expected: { readonly to: string },
): MessageProofCheck | undefined {
  const given = (message.metadata as Readonly<Record<string, unknown>> | null | undefined)?.[DID_PROOF];
  if (isEmpty(given)) return undefined;
  const form = normalForm(message);
  // A member of that name would not be signed: `proof` is what a document is signed without.
  if (form.proof !== undefined) return fail(`The proof belongs into the metadata's "${DID_PROOF}" alone.`);
  const parsed = Extension.safeParse(given);
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    const path = ['metadata', DID_PROOF, ...(issue?.path ?? [])].join('.');
    return fail(`The proof extension is malformed at "${path}": ${issue?.message}.`);
  }
  const { from, to, proof } = parsed.data;
  if (to !== expected.to) return fail(`"to" of the proof extension must be ${expected.to}.`);
  const check = checkParsedProof(suite, form, proof, { proofPurpose: 'authentication', did: from });
  if (!check.ok) return check;
  return { ok: true, from, created: proof.created, hash: toHex(check.digest.subarray(HASH_BYTES)) };
}

interface Provable {
  readonly metadata?: Readonly<Record<string, unknown>>;
  readonly extensions?: readonly string[];
  /** It has none: `proof` is what a document is signed without. */
  readonly proof?: never;
}

/**
 * Signs an artifact for the caller it is made for, so that the caller can show it to others.
 * @param artifact in v1.0's spelling
 * @param about to: the canonical DID of the caller; created: ISO 8601
 * @returns the artifact with the extension in its metadata, and among its extensions
 */
export function proveArtifact<T extends Provable>(
  suite: Suite,
  signer: Signer,
  artifact: T,
  about: { readonly to: string; readonly created: string },
): T & { readonly metadata: Readonly<Record<string, unknown>>; readonly extensions: readonly string[] } {
  const extensions = [...new Set([...(artifact.extensions ?? []), DID_PROOF])];
  const parties = { from: signer.did, to: about.to };
  const unsigned = { ...artifact, extensions, metadata: { ...artifact.metadata, [DID_PROOF]: parties } };
  const options = { created: about.created, proofPurpose: 'authentication' } as const;
  const { proof } = makeProof(suite, signer, normalForm(unsigned), options);
  return { ...unsigned, metadata: { ...unsigned.metadata, [DID_PROOF]: { ...parties, proof } } };
}

function fail(reason: string): { readonly ok: false; readonly reason: string } {
  return { ok: false, reason };
}
