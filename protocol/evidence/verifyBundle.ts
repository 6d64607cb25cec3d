/** Verifies a portable bundle without network or database, part by part, and reports the first problem. */
import { canonical, hashOf } from '../credential/canonical.ts';
import type { Suite } from '../credential/ed25519.ts';
import { fromBase64 } from '../credential/encodings.ts';
import { checkProof } from '../credential/proof.ts';
import { Fault } from '../wire/fault.ts';
import { parseJson } from '../wire/json.ts';
import { type BundlePart, PortableBundle, type Wrong } from './bundle.ts';
import { approvalOf, type BundleApproval } from './bundleApproval.ts';
import { verifyEvents } from './bundleEvents.ts';
import { unsignedParts, verifyMandates } from './bundleMandates.ts';
import { peopleFault } from './bundlePeople.ts';
import { type Checkpoint, eventLeaf, openCheckpoint, originOf } from './log/checkpoint.ts';
import { verifyInclusion } from './log/merkle.ts';
import type { NoteDemand } from './log/note.ts';
import { issuersThrough } from './rotation.ts';

type BundleCheck =
  | {
      readonly ok: true;
      readonly bundle: PortableBundle;
      readonly checkpoint: Checkpoint;
      /** Every DID the issuer has had, the oldest first. */
      readonly issuers: readonly string[];
      /** What the issuer did not sign, or the bundle alone cannot prove: one sentence each. */
      readonly unsigned: readonly string[];
      /** How the purchase was approved, as far as the bundle shows it. */
      readonly approval: BundleApproval;
    }
  | { readonly ok: false; readonly part: BundlePart; readonly reason: string };

/** Far above the size of a bundle with a long history. */
const MAX_BUNDLE_BYTES = 16 * 1024 * 1024;

/** What else a reader asks of a bundle, or knows. */
interface Reader {
  /** What is asked of the checkpoint's note, such as cosignatures; its sentence where that is not met. */
  readonly demand?: NoteDemand | undefined;
  /** Where the node is, such as https://pay.example: touches must be made there. Otherwise its own word is taken. */
  readonly origin?: string | undefined;
}

/**
 * @param text the content of the file
 * @param issuerDid the DID that the reader trusts, from another source
 */
export function verifyBundle(suite: Suite, text: string, issuerDid: string, reader: Reader = {}): BundleCheck {
  const read = readBundle(text);
  if (!(read instanceof Object && 'format' in read)) return { ok: false, ...read };
  const bundle = read;
  const issuers = issuersThrough(suite, bundle.rotations, bundle.issuer);
  if (issuers === undefined)
    return { ok: false, part: 'issuer', reason: 'A rotation of the issuer’s key does not hold.' };
  if (!issuers.includes(issuerDid)) {
    return { ok: false, part: 'issuer', reason: `The bundle is by ${bundle.issuer}, not by ${issuerDid}.` };
  }
  const opened = openCheckpoint(suite, bundle.checkpoint, issuers);
  const wrong =
    verifyEvents(suite, bundle, issuers) ??
    (opened.ok ? coverage(suite, bundle, opened.checkpoint) : { part: 'checkpoint' as const, reason: opened.reason }) ??
    demandFault(bundle, reader.demand) ??
    verifyMandates(suite, bundle, issuers) ??
    policyFault(suite, bundle) ??
    peopleFault(bundle) ??
    sealFault(suite, bundle);
  if (wrong !== undefined) return { ok: false, ...wrong };
  const { checkpoint } = opened as { readonly checkpoint: Checkpoint };
  const unsigned = unsignedParts(bundle, issuers);
  const approval = approvalOf(suite, bundle, issuers, reader.origin);
  return { ok: true, bundle, issuers, checkpoint, unsigned, approval };
}

function readBundle(text: string): PortableBundle | NonNullable<Wrong> {
  let value: unknown;
  try {
    value = parseJson(text, { maxBytes: MAX_BUNDLE_BYTES });
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    return { part: 'file', reason: `The file is not JSON as it should be: ${error.message}` };
  }
  const spelled = canonical(value);
  if (spelled !== text) {
    const at = [...spelled].findIndex((character, index) => character !== text[index]);
    const offset = at < 0 ? Math.min(spelled.length, text.length) : at;
    return {
      part: 'file',
      reason: `The file is not in the form it was written in (RFC 8785), from byte ${offset} on.`,
    };
  }
  const parsed = PortableBundle.safeParse(value);
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    return { part: 'file', reason: `The bundle is malformed at "${issue?.path.join('.')}": ${issue?.message}.` };
  }
  // The value as received, which was hashed and signed.
  return value as PortableBundle;
}

/** Every event is in the tree of the checkpoint. */
function coverage(suite: Suite, bundle: PortableBundle, { origin, size, root }: Checkpoint): Wrong {
  const fault = (reason: string): Wrong => ({ part: 'checkpoint', reason });
  if (origin !== originOf(bundle.tenantId)) return fault(`The checkpoint is over another chain, ${origin}.`);
  if (bundle.inclusion.length !== bundle.events.length) {
    return fault(`There are ${bundle.inclusion.length} proofs of inclusion for ${bundle.events.length} events.`);
  }
  for (const [index, { seq, hashCurr }] of bundle.events.entries()) {
    const path = (bundle.inclusion[index] ?? []).map((each) => fromBase64(each));
    const hashes = path.filter((each) => each?.length === 32) as Uint8Array[];
    const claim = { index: seq - 1, size, leaf: eventLeaf(suite, hashCurr), root };
    if (hashes.length !== path.length || !verifyInclusion(suite, claim, hashes)) {
      return fault(`Event ${seq} is not in the chain that the checkpoint is over.`);
    }
  }
  return undefined;
}

function demandFault({ checkpoint }: PortableBundle, demand: NoteDemand | undefined): Wrong {
  const reason = demand?.(checkpoint);
  return reason === undefined ? undefined : { part: 'checkpoint', reason };
}

/** The policies are those whose hashes the events contain. */
function policyFault(suite: Suite, bundle: PortableBundle): Wrong {
  const fault = (reason: string): Wrong => ({ part: 'policies', reason });
  for (const { policyId, policyVersion, policyHash, rules } of bundle.policies) {
    if (hashOf(suite, rules) !== policyHash) {
      return fault(`The rules of ${policyId} version ${policyVersion} do not match their hash.`);
    }
  }
  const nameOf = (it: { policyId?: unknown; policyVersion?: unknown; policyHash?: unknown }) =>
    `${it.policyId} version ${it.policyVersion} (${it.policyHash})`;
  const given = new Set(bundle.policies.map(nameOf));
  const named = bundle.events.filter(({ data }) => data.policyHash !== undefined).map(({ data }) => nameOf(data));
  const missing = named.find((name) => !given.has(name));
  if (missing !== undefined) return fault(`The policy ${missing}, which judged the transaction, is missing.`);
  const extra = [...given].find((name) => !named.includes(name));
  return extra === undefined ? undefined : fault(`The policy ${extra} judged nothing in this transaction.`);
}

/** The issuer signed the whole bundle, which also proves that no event was left out. */
function sealFault(suite: Suite, bundle: PortableBundle): Wrong {
  const check = checkProof(suite, bundle, { proofPurpose: 'assertionMethod', did: bundle.issuer });
  return check.ok
    ? undefined
    : { part: 'seal', reason: `The issuer's signature over the bundle fails: ${check.reason}` };
}
