/** The forms in which an answer hands out a mandate besides its own, for readers with libraries of their own. */
import { z } from 'zod';
import { anyObject } from '../wire/json.ts';

const CREDENTIAL_FORMATS = ['vc', 'vc+jwt', 'status'] as const;

export const CredentialFormats = z
  .array(z.enum(CREDENTIAL_FORMATS))
  .min(1)
  .max(CREDENTIAL_FORMATS.length)
  .describe(
    'Hands the mandate out in more forms, in `credentials`: vc (VCDM 2.0 with eddsa-jcs-2022), vc+jwt (VC-JOSE-COSE), and status, the status list that it is in.',
  );
export type CredentialFormats = z.infer<typeof CredentialFormats>;

/** An intent's answer may have the verdict, too. */
export const IntentFormats = z
  .array(z.enum([...CREDENTIAL_FORMATS, 'verdict']))
  .min(1)
  .max(CREDENTIAL_FORMATS.length + 1)
  .describe(
    'Hands the mandate out in more forms, in `credentials`: vc (VCDM 2.0 with eddsa-jcs-2022), vc+jwt (VC-JOSE-COSE), and status, the status list that it is in. verdict adds the decision as a signed JWT, in `verdict`, also to a refusal.',
  );

/** A cart is the merchant's own; the node adds its verdict. */
export const CartFormats = z
  .array(z.enum(['verdict']))
  .min(1)
  .max(1)
  .describe('verdict: the decision as a signed JWT, in `verdict`, also where the cart is refused.');

/** The member of an answer that has the verdict. */
export const Verdict = z
  .string()
  .optional()
  .describe('The decision as a JWT that the node’s key set verifies, where credentialFormats named verdict.');

export const SecuredForms = z.object({
  vc: anyObject().optional(),
  'vc+jwt': z.string().optional(),
  status: z.string().optional().describe('The status list as a token, for a merchant who does not fetch it.'),
});
export type SecuredForms = z.infer<typeof SecuredForms>;
