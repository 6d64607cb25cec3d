/**
 * A site that asks by HTTP (402) for money, by MPP and by x402: it takes the money or not, in parts or late, and answers with a receipt,
 * 402 once more, 500 or nothing, and its answer does not follow from what it took.
 */
import { createHash } from 'node:crypto';
import { readCredential } from '../../../protocol/mpp/chargeCredential.ts';
import { mppChallenge } from '../../support/mppChallenge.ts';
import type { JsonObject } from '../../support/peer.ts';
import type { Chance } from '../machine/chance.ts';
import type { Owner } from '../machine/eventLoop.ts';
import type { World } from '../world.ts';
import { NETWORK, TOKEN, type Transfer, UNITS_IN_CENT } from './chain.ts';

/** What it asks for once. */
export interface SiteOffer {
  readonly id: string;
  readonly priceMinor: number;
  /** Who is paid: a profile of the rail of tokens, and the account that belongs to it. */
  readonly payee: string;
  readonly externalId: string | undefined;
  /** Milliseconds since the epoch, by true time. */
  readonly expiresAt: number;
  /** In the token's smallest unit; rounded up it is the price. */
  readonly units: number;
  /** How long a transfer has to be good for, in seconds. */
  readonly seconds: number;
}

/** What a visitor sends: a header. */
export interface Sending {
  readonly name: string;
  readonly value: string;
}

/** As HTTP would have it. */
export interface SiteAnswer {
  readonly status: number;
  /** The value of Payment-Receipt, or of PAYMENT-RESPONSE. */
  readonly receipt?: string;
  readonly paymentResponse?: string;
  readonly problem?: { readonly type: string; readonly title: string };
}

/** How much it takes of a price, and when. */
type Taking = 'all' | 'part' | 'nothing' | 'later';
/** What it says then. */
type Saying = 'receipt' | '402' | '500' | 'nothing';

/** What pays an offer, in the site's hands. */
interface Means {
  readonly offer: SiteOffer;
  /** @returns what names it afterwards; undefined where it is refused */
  take(amountMinor: number): string | undefined;
  /** Whether it can be taken in parts. */
  readonly hasParts: boolean;
  /** Says that it was taken. @param reference undefined where it was not */
  receipt(reference: string | undefined): SiteAnswer;
}

/** How long a visitor waits for an answer, in milliseconds. */
const PATIENCE_MS = 8000;
/** How long after a request it takes money at the latest, in milliseconds: longer than most of what pays is good for. */
const LATE_MS = 120_000;

export class PaidSite {
  readonly #world: World;
  readonly #dice: Chance;
  readonly #owner: Owner;
  readonly #offers = new Map<string, SiteOffer>();
  readonly #paid = new Set<string>();
  readonly domain: string;
  /** Its profile at the rail of tokens. */
  readonly profile: string;

  /** @param dice a stream of its own */
  constructor(world: World, domain: string, dice: Chance) {
    this.#world = world;
    this.#dice = dice;
    this.#owner = world.loop.newOwner(domain);
    this.domain = domain;
    this.profile = `profile_${domain.split('.')[0]}`;
  }

  /** @returns what it asks for: the same thing at the same price again, or once more */
  ask(priceMinor: number, payee = this.profile): SiteOffer {
    const dice = this.#dice;
    const id = `challenge-${dice.bytes(9).toString('hex')}`;
    const externalId = dice.permille(700) ? `order_${dice.bytes(5).toString('hex')}` : undefined;
    const expiresAt = Math.floor(this.#world.loop.time) + dice.between(5, 30) * 1000;
    const units = priceMinor * UNITS_IN_CENT - (dice.permille(300) ? dice.below(UNITS_IN_CENT) : 0);
    const offer = { id, priceMinor, payee, externalId, expiresAt, units, seconds: dice.between(10, 30) };
    this.#offers.set(id, offer);
    return offer;
  }

  /** The value of WWW-Authenticate. */
  challengeOf({ id, priceMinor, payee, externalId, expiresAt }: SiteOffer): string {
    const named = externalId === undefined ? {} : { externalId };
    const expires = new Date(expiresAt).toISOString();
    return mppChallenge({ id, amount: String(priceMinor), networkId: payee, realm: this.domain, expires, ...named });
  }

  /** The value of PAYMENT-REQUIRED. */
  requirementOf({ id, payee, units, seconds: maxTimeoutSeconds }: SiteOffer): string {
    const { address: asset, ...extra } = TOKEN;
    const offer = { scheme: 'exact', network: NETWORK, amount: String(units), asset, payTo: accountOf(payee) };
    const resource = { url: `https://${this.domain}/${id}` };
    return encoded({ x402Version: 2, resource, accepts: [{ ...offer, maxTimeoutSeconds, extra }] });
  }

  /** A visitor comes with what pays. @returns undefined where no answer comes */
  visit(visitor: Owner, sending: Sending): Promise<SiteAnswer | undefined> {
    const { loop } = this.#world;
    const delay = () => 5 + 300 * this.#dice.fraction() ** 3;
    return new Promise((resolve) => {
      loop.schedule(visitor, PATIENCE_MS, 'no answer of a site', () => resolve(undefined));
      loop.schedule(this.#owner, delay(), 'request at a site', () => {
        const answer = this.#answer(sending);
        if (answer !== undefined) loop.schedule(visitor, delay(), 'answer of a site', () => resolve(answer));
      });
    });
  }

  #answer({ name, value }: Sending): SiteAnswer | undefined {
    const means = name === 'PAYMENT-SIGNATURE' ? this.#transferIn(value) : this.#tokenIn(value);
    if (means === undefined || this.#paid.has(means.offer.id)) return refused;
    const { offer, hasParts } = means;
    const [taking, saying] = this.#temper();
    const half = Math.floor(offer.priceMinor / 2);
    if (taking === 'later') this.#takeLater(means, offer.priceMinor);
    if (taking === 'part' && hasParts && half > 0) {
      this.#take(means, half);
      if (this.#dice.permille(500)) this.#takeLater(means, offer.priceMinor - half);
    }
    const reference = taking === 'all' ? this.#take(means, offer.priceMinor) : undefined;
    if (saying === '402') return refused;
    if (saying === 'nothing') return undefined;
    if (saying === '500') return { status: 500 };
    return taking === 'all' && reference === undefined ? refused : means.receipt(reference);
  }

  #tokenIn(header: string): Means | undefined {
    const credential = readCredential(header);
    const offer = this.#offers.get(String(credential?.challenge['id']));
    const { spt: token, externalId } = credential?.payload ?? {};
    if (offer === undefined || typeof token !== 'string' || offer.externalId !== externalId) return undefined;
    if (offer.expiresAt <= this.#world.loop.time) return undefined;
    const { tokens } = this.#world;
    return {
      offer,
      hasParts: true,
      take: (amountMinor) => tokens.charge({ token, payee: offer.payee, amountMinor, currency: 'USD' }),
      receipt: (reference = 'pi_never_taken') => {
        if (reference === 'pi_never_taken') tokens.claim(token);
        return { status: 200, receipt: receiptOf(offer, reference) };
      },
    };
  }

  #transferIn(header: string): Means | undefined {
    const { resource, payload } = JSON.parse(Buffer.from(header, 'base64').toString('utf8')) as {
      readonly resource?: { readonly url: string };
      readonly payload: { readonly authorization: Transfer & { readonly from: string } };
    };
    const offer = this.#offers.get(String(resource?.url.split('/').at(-1)));
    const { to, value, nonce, from } = payload.authorization;
    if (offer === undefined || to.toLowerCase() !== accountOf(offer.payee) || value !== String(offer.units))
      return undefined;
    const { chain } = this.#world;
    return {
      offer,
      hasParts: false,
      take: () => chain.settle(nonce),
      receipt: (transaction = `0x${'f'.repeat(64)}`) => {
        if (/^0xf+$/.test(transaction)) chain.claim(nonce);
        const response = { success: true, transaction, network: NETWORK, payer: from };
        return { status: 200, paymentResponse: encoded(response) };
      },
    };
  }

  /** Most are honest; few say that they took what they did not. */
  #temper(): readonly [Taking, Saying] {
    const dice = this.#dice;
    if (dice.permille(500)) return ['all', 'receipt'];
    if (dice.permille(40)) return ['nothing', 'receipt'];
    return [dice.of(['all', 'all', 'part', 'nothing', 'nothing', 'later']), dice.of(['402', '402', '500', 'nothing'])];
  }

  #take({ offer, take }: Means, amountMinor: number): string | undefined {
    const reference = take(amountMinor);
    if (reference !== undefined) this.#paid.add(offer.id);
    return reference;
  }

  #takeLater(means: Means, amountMinor: number): void {
    const wait = this.#dice.of([2000, 20_000, LATE_MS]) * this.#dice.fraction();
    this.#world.loop.schedule(this.#owner, wait, 'a site takes money', () => this.#take(means, amountMinor));
  }
}

/** The account on the chain that belongs to a profile, in lower case. */
export function accountOf(profile: string): string {
  return `0x${createHash('sha256').update(profile).digest('hex').slice(0, 40)}`;
}

const refused: SiteAnswer = {
  status: 402,
  problem: { type: 'https://paymentauth.org/problems/verification-failed', title: 'Payment verification failed' },
};

function receiptOf({ externalId }: SiteOffer, reference: string): string {
  const receipt = { method: 'stripe', status: 'success', reference, ...(externalId !== undefined && { externalId }) };
  return Buffer.from(JSON.stringify(receipt)).toString('base64url');
}

function encoded(value: JsonObject): string {
  return Buffer.from(JSON.stringify(value)).toString('base64');
}
