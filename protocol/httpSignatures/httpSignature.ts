/** An agent asks for the signature of one request to the merchant of one purchase. */
import { z } from 'zod';
import { IdempotencyKey } from '../intent.ts';
import { SignatureAgentForm } from '../merchant.ts';
import { SIGNATURE_PROFILES } from './requestSignature.ts';

const DIGEST = /^sha-256=:?([A-Za-z0-9+/]{43})=:?$/;

/** As RFC 9530 writes it; the form of RFC 3230 is taken too. */
const BodyDigest = z
  .string()
  .regex(DIGEST, 'must be the SHA-256 of the body, sha-256=:…: with 44 characters of base64')
  .transform((text) => text.replace(DIGEST, 'sha-256=:$1=:'));

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const;

const Origin = z
  .string()
  .max(300)
  .regex(/^https:\/\/[a-z0-9.-]+(:\d{1,5})?$/, 'must be an origin such as https://agent.example, in lower case')
  .refine(
    (text) => URL.canParse(text) && new URL(text).origin === text,
    'must be an origin such as https://agent.example',
  );

export const HttpSignatureRequest = z
  .object({
    mandateId: z
      .string()
      .regex(/^pm_[0-9a-z]{26}$/, 'must be the id of a payment, such as pm_ and 26 characters')
      .optional()
      .describe('The payment whose merchant is asked; it, or intentId.'),
    intentId: z
      .string()
      .regex(/^intent_[0-9a-z]{26}$/, 'must be the id of an intent, such as intent_ and 26 characters')
      .optional()
      .describe('The intent whose merchant is asked, before it is paid.'),
    method: z.enum(METHODS).describe('By which it will be sent.'),
    url: z
      .string()
      .max(8192)
      .regex(/^[!-~]+$/, 'must be written as it is sent: in printable ASCII, without spaces')
      .describe('What will be requested, as it will be sent: at the merchant’s domain, or one below it.'),
    bodyDigest: BodyDigest.optional().describe('Of the body, where it has one: `sha-256=:…:` (RFC 9530).'),
    profile: z
      .enum(SIGNATURE_PROFILES)
      .describe('By which rules the merchant knows agents: `tap` is Visa’s Trusted Agent Protocol.'),
    signatureAgentForm: SignatureAgentForm.optional().describe(
      'How Signature-Agent is written; as the registry of merchants has it when absent, else `string`.',
    ),
    key: z
      .enum(['node', 'agent'])
      .optional()
      .describe(
        'Whose key signs: the node’s when absent. With `agent` the answer has the text that the agent signs itself.',
      ),
    signatureAgent: Origin.optional().describe(
      'Where the agent’s own key is published; the node’s address when absent. Only with `key: "agent"`.',
    ),
    idempotencyKey: IdempotencyKey.optional(),
  })
  .refine(({ mandateId, intentId }) => (mandateId === undefined) !== (intentId === undefined), {
    path: ['mandateId'],
    message: 'must be there, or intentId, and not both',
  })
  .refine(({ profile, bodyDigest }) => profile !== 'tap' || bodyDigest === undefined, {
    path: ['bodyDigest'],
    message: 'must be absent: tap covers no body',
  })
  .refine(({ key, signatureAgent }) => key === 'agent' || signatureAgent === undefined, {
    path: ['signatureAgent'],
    message: 'must be absent: the node’s own key is published by the node',
  });
export type HttpSignatureRequest = z.infer<typeof HttpSignatureRequest>;

export const HttpSignature = z.object({
  headers: z
    .record(z.string(), z.string())
    .describe(
      'To send with the request, by their names: Signature-Input, Signature, and Signature-Agent and Content-Digest where they are covered.',
    ),
  base: z
    .string()
    .optional()
    .describe(
      'What the agent signs with its key (Ed25519), where it signs itself: Signature is then not among the headers.',
    ),
  keyid: z.string().describe('The thumbprint of the key (RFC 7638).'),
  nonce: z.string(),
  expiresAt: z.string().describe('Until when it can be sent: at most eight minutes, and once.'),
});
export type HttpSignature = z.infer<typeof HttpSignature>;
