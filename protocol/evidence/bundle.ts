/**
 * The portable bundle: everything that proves one transaction, in one file that anybody can check with nothing but
 * the issuer's DID. The file is the RFC 8785 text of this object, so that it has exactly one spelling.
 */
import { z } from 'zod';
import { Proof } from '../credential/proof.ts';
import { Credential } from '../credential/vc.ts';
import { HpProof } from '../presence.ts';
import { EvidenceEvent } from './chain.ts';
import { IssuerRotation } from './rotation.ts';

export const BUNDLE_FORMAT = 'countersign-evidence-bundle/1';

export const PortableBundle = z.strictObject({
  format: z.literal(BUNDLE_FORMAT),
  issuer: z.string().describe('DID of the node that keeps the evidence.'),
  /** How the issuer's key changed since the chain began, the oldest first. */
  rotations: z.array(IssuerRotation),
  tenantId: z.string(),
  transactionId: z.string(),
  /** How many events of the transaction there were when the bundle was made. */
  eventCount: z.int().positive(),
  /** The transaction's events, oldest first. */
  events: z.array(z.strictObject(EvidenceEvent.shape)).min(1),
  credentials: z.strictObject({
    intent: Credential.optional(),
    cart: Credential.optional(),
    payment: Credential.optional(),
  }),
  /** Every policy version that judged the transaction. */
  policies: z.array(
    z.strictObject({
      policyId: z.string(),
      policyVersion: z.int().positive(),
      policyHash: z.string(),
      rules: z.record(z.string(), z.unknown()),
    }),
  ),
  /** The person's approval, where one was asked for. */
  presence: HpProof.optional(),
  /** A signed note over the whole chain, these events included. */
  checkpoint: z.string(),
  /** For each event its way to the checkpoint's root, each hash as base64. */
  inclusion: z.array(z.array(z.string())),
  proof: Proof,
});
export type PortableBundle = z.infer<typeof PortableBundle>;

/** The part of a bundle that a check is about. */
export type BundlePart = 'file' | 'issuer' | 'events' | 'checkpoint' | 'credentials' | 'policies' | 'presence' | 'seal';

/** What a check finds wrong; undefined when nothing is. */
export type Wrong = { readonly part: BundlePart; readonly reason: string } | undefined;
