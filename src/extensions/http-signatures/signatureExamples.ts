/** Example: a page of the merchant is asked for, before a cart is made. */
import { AT, INTENT } from '../../documents/examples/story/story.ts';

const KEYID = 'poqkLGiymh_W0uP6PZFw-dvez3QJT5SolqXBCW38r0U';
const NONCE = 'e8N7S2MFd_qrd6T2R3tdfAuuANngKI7LFtKYI_vowzk4lAZYadIX6wW25MwG7DCT9RUKAJ0qVkU0mEeLElW1qg';
const PARAMS = `("@method" "@authority" "@path" "signature-agent");created=1767225598;expires=1767226078;keyid="${KEYID}";alg="ed25519";nonce="${NONCE}";tag="web-bot-auth"`;

export const signatureExamples = {
  signHttpRequest: {
    input: {
      intentId: INTENT,
      method: 'GET' as const,
      url: `https://shop.example/tea`,
      profile: 'web-bot-auth' as const,
    },
    output: {
      headers: {
        'Signature-Agent': '"https://node.example"',
        'Signature-Input': `sig1=${PARAMS}`,
        Signature: 'sig1=:uz2SAv+VIemw+Oo890bhYh6Xf5qZdLUgv6/PbiQfCFXcX/vt1A8Pf7OcgL2yUDUYXFtffNpkEr5W6dldqFrkDg==:',
      },
      keyid: KEYID,
      nonce: NONCE,
      expiresAt: AT,
    },
  },
};
