/** The forms in which an answer hands out a mandate besides its own, for readers with libraries of their own. */
import { z } from 'zod';
import { anyObject } from '../wire/anyObject.ts';

const CREDENTIAL_FORMATS = ['vc', 'vc+jwt', 'status'] as const;

export const CredentialFormats = z
  .array(z.enum(CREDENTIAL_FORMATS))
  .min(1)
  .max(CREDENTIAL_FORMATS.length)
  .describe(
    'Hands the mandate out in more forms, in `credentials`: vc (VCDM 2.0 with eddsa-jcs-2022), vc+jwt (VC-JOSE-COSE), and status, the status list that it is in.',
  );
export type CredentialFormats = z.infer<typeof CredentialFormats>;

export const SecuredForms = z.object({
  vc: anyObject().optional(),
  'vc+jwt': z.string().optional(),
  status: z.string().optional().describe('The status list as a token, for a merchant who does not fetch it.'),
});
export type SecuredForms = z.infer<typeof SecuredForms>;
