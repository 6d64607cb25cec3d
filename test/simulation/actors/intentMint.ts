/** Layers of Verifiable Intent as an agent of a world presents them: few layers 2, each with pairs of its own, and two people with cards. */
import { createHash } from 'node:crypto';
import { toBase64url } from '../../../protocol/credential/encodings.ts';
import { bindingTo, mintSdJwt, selective, type TokenSigner } from '../../../protocol/sdjwt/mint.ts';
import type { JsonObject } from '../../support/peer.ts';
import type { Chance } from '../machine/chance.ts';

const LASTS_SECONDS = 100_000_000;
const CARD = { type: 'network.card', id: 'pm_card_visa' };

export interface MintKey extends TokenSigner {
  readonly jwk: JsonObject;
}

interface Wallet {
  readonly issuer: MintKey;
  readonly people: readonly MintKey[];
  readonly agent: MintKey;
  readonly payee: JsonObject;
  seconds(): number;
}

/** One pair of a layer 2, in the view that discloses it alone. */
export interface IntentView {
  readonly l1: string;
  readonly l2: string;
}

export function intentMint(dice: Chance, { issuer, people, agent, payee, seconds }: Wallet) {
  const salt = () => dice.bytes(16).toString('base64url');
  const hashOf = (text: string) => createHash('sha256').update(text).digest('base64url');
  const cards = people.map((person) => {
    const iat = seconds() - 200;
    const claims = { iss: 'https://bank.example', sub: salt(), vct: 'https://bank.example/card', card_id: CARD.id };
    const payload = { ...claims, cnf: { jwk: person.jwk }, iat, exp: iat + LASTS_SECONDS };
    return mintSdJwt({ typ: 'sd+jwt', payload, signer: issuer, salt });
  });
  const cardOf = (which: number) => ({ l1: cards[which] as string, person: people[which] as MintKey });
  const presented = (seconds_: number) => ({ aud: 'credential-provider', nonce: salt(), iat: seconds_ });
  const closed = (checkout: string, amount: number) => ({
    ...{ vct: 'mandate.payment.1', transaction_id: hashOf(checkout), payee, payment_instrument: CARD },
    payment_amount: { amount, currency: 'USD' },
  });
  return {
    /** @param pairs the constraints on each payment @returns a view for each */
    delegate(which: number, pairs: readonly (readonly JsonObject[])[]): readonly IntentView[] {
      const { l1, person } = cardOf(which);
      const cnf = { jwk: agent.jwk };
      const salts: string[] = [];
      const mandates = pairs.flatMap((constraints, pair) => {
        salts.push(salt(), salt());
        const checkout = { vct: 'mandate.checkout.open.1', cnf, constraints: [], pair };
        const digest = hashOf(toBase64url(Buffer.from(JSON.stringify([salts.at(-2), checkout]))));
        const reference = { type: 'mandate.payment.reference', conditional_transaction_id: digest };
        const own = { vct: 'mandate.payment.open.1', cnf, payment_instrument: CARD };
        return [selective(checkout), selective({ ...own, constraints: [reference, ...constraints] })];
      });
      const iat = seconds() - 200;
      const claims = { aud: 'agent', nonce: salt(), iat, exp: iat + LASTS_SECONDS - 1000, ...bindingTo(l1, 'sd_hash') };
      const [jwt, ...disclosures] = mintSdJwt({
        ...{ typ: 'kb-sd-jwt+kb', signer: person, isMirrored: true },
        ...{ payload: { ...claims, delegate_payload: mandates }, salt: () => String(salts.shift()) },
      }).split('~');
      return pairs.map((_, pair) => ({
        l1,
        l2: [jwt, ...disclosures.slice(2 * pair, 2 * pair + 2), ''].join('~'),
      }));
    },
    close({ l1, l2 }: IntentView, checkout: string, amount: number): JsonObject {
      const iat = seconds() - 200;
      const claims = { ...presented(iat), exp: iat + 3600, ...bindingTo(l2, 'sd_hash') };
      const payload = { ...claims, delegate_payload: [selective(closed(checkout, amount))] };
      const l3Payment = mintSdJwt({ typ: 'kb-sd-jwt', payload, signer: agent, salt });
      return { verifiableIntent: { l1, l2, l3Payment }, nonce: claims.nonce, checkoutJwtHash: hashOf(checkout) };
    },
    /** What a person closes without an agent. */
    immediate(which: number, checkout: string, amount: number): JsonObject {
      const { l1, person } = cardOf(which);
      const iat = seconds() - 200;
      const claims = { ...presented(iat), exp: iat + 3600, ...bindingTo(l1, 'sd_hash') };
      const ordered = { vct: 'mandate.checkout.1', checkout_jwt: checkout, checkout_hash: hashOf(checkout) };
      const payload = { ...claims, delegate_payload: [ordered, closed(checkout, amount)].map(selective) };
      const l2 = mintSdJwt({ typ: 'kb-sd-jwt', payload, signer: person, salt, isMirrored: true });
      return { verifiableIntent: { l1, l2 }, nonce: claims.nonce, checkoutJwtHash: hashOf(checkout) };
    },
  };
}
