/** The extensions of A2A that a node speaks, as its cards name them. None is required of a caller. */
import { z } from 'zod';
import { APPROVALS } from './approvalParts.ts';
import { DID_PROOF } from './normalForm.ts';

/** The data parts in which mandates are asked for and answered. */
export const MANDATES = 'urn:countersign:a2a:mandates:v1';

/** As the document of AP2 spells it, and as its samples do. */
const AP2_SPELLINGS = [
  'https://github.com/google-agentic-commerce/ap2/tree/v0.1',
  'https://github.com/google-agentic-commerce/ap2/v1',
];

export const Extension = z.object({
  uri: z.string(),
  description: z.string(),
  /** No number: Python's libraries write 1000 as 1000.0, and then the card's signature fails. */
  params: z.record(z.string(), z.union([z.string(), z.array(z.string())])).optional(),
});
type Extension = z.infer<typeof Extension>;

/**
 * @param node its DID, which stands in a member that the card's signature covers for every reader, and its public address, at
 *   which people touch their passkeys
 */
export function extensionsOf({ did, baseUrl }: { readonly did: string; readonly baseUrl: string }): Extension[] {
  const { hostname: rpId, origin } = new URL(baseUrl);
  return [
    ...AP2_SPELLINGS.map((uri) => ({
      uri,
      description: 'Intent, cart and payment mandates of the Agent Payments Protocol.',
      params: { roles: ['credentials-provider', 'payment-processor'] },
    })),
    { uri: MANDATES, description: 'Mandates are asked for, and answered, in data parts named countersign.*.' },
    {
      uri: APPROVALS,
      description: 'What a person is asked, and how they decided: signed by their passkey, for anyone to verify.',
      params: { methods: ['webauthn'], rpId, origin, issuer: did },
    },
    { uri: DID_PROOF, description: 'Messages and artifacts are signed by the DID of their sender.', params: { did } },
  ];
}
