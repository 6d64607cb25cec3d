/**
 * The portable bundle: all evidence of one transaction in one file, which can be verified with nothing but the
 * issuer's DID. The file is the canonical JSON (RFC 8785) of this object, so that it has exactly one spelling.
 */
import { z } from 'zod';
import { CartDocument } from '../credential/cartCredential.ts';
import { SecuredForms } from '../credential/credentialFormats.ts';
import { Proof } from '../credential/proof.ts';
import { Credential } from '../credential/vc.ts';
import { HpProof } from '../presence.ts';
import { EvidenceEvent } from './chain.ts';
import { IssuerRotation } from './rotation.ts';

export const BUNDLE_FORMAT = 'countersign-evidence-bundle/1';

const HandedForms = SecuredForms.omit({ status: true });

export const PortableBundle = z.strictObject({
  format: z.literal(BUNDLE_FORMAT),
  issuer: z.string().describe('DID of the node that keeps the evidence.'),
  /** The rotations of the issuer's key since the chain began, the oldest first. */
  rotations: z.array(IssuerRotation),
  tenantId: z.string(),
  transactionId: z.string(),
  /** How many events the transaction had when the bundle was written. */
  eventCount: z.int().positive(),
  /** The transaction's events, oldest first. */
  events: z.array(z.strictObject(EvidenceEvent.shape)).min(1),
  credentials: z.strictObject({
    intent: Credential.optional(),
    cart: z.union([Credential, CartDocument]).optional(),
    /** In place of the cart credential: a cart mandate of AP2, as the agent sent it. */
    cartMandate: z.looseObject({ contents: z.looseObject({}), merchant_authorization: z.string() }).optional(),
    /** In place of the cart credential: a checkout of UCP, as its business signed it. */
    checkout: z.looseObject({}).optional(),
    payment: Credential.optional(),
  }),
  /** The mandates in the forms in which they were handed out, as far as the issuer's present key signs them. */
  forms: z.strictObject({ intent: HandedForms.optional(), payment: HandedForms.optional() }).optional(),
  /** Every policy version that was applied to the transaction. */
  policies: z.array(
    z.strictObject({
      policyId: z.string(),
      policyVersion: z.int().positive(),
      policyHash: z.string(),
      rules: z.record(z.string(), z.unknown()),
    }),
  ),
  /** The person's approval, where one was required. */
  presence: HpProof.optional(),
  /** A signed note over the whole chain, including these events. */
  checkpoint: z.string(),
  /** For each event its inclusion proof in the checkpoint, as base64 hashes. */
  inclusion: z.array(z.array(z.string())),
  proof: Proof,
});
export type PortableBundle = z.infer<typeof PortableBundle>;

/** The part of a bundle that a check concerns. */
export type BundlePart = 'file' | 'issuer' | 'events' | 'checkpoint' | 'credentials' | 'policies' | 'presence' | 'seal';

/** The problem that a check found; undefined when there is none. */
export type Wrong = { readonly part: BundlePart; readonly reason: string } | undefined;
