/**
 * A site that asks by HTTP (402) for money, by MPP: it takes the money or not, in parts or late, and answers with a receipt, 402 once
 * more, 500 or nothing, whatever it took.
 */
import { readCredential } from '../../../protocol/mpp/chargeCredential.ts';
import { mppChallenge } from '../../support/mppChallenge.ts';
import type { Chance } from '../machine/chance.ts';
import type { Owner } from '../machine/eventLoop.ts';
import type { World } from '../world.ts';

/** What it asks for once. */
export interface SiteOffer {
  readonly id: string;
  readonly priceMinor: number;
  /** Of the rail of tokens. */
  readonly payee: string;
  readonly externalId: string | undefined;
  /** Milliseconds since the epoch, by true time. */
  readonly expiresAt: number;
}

/** As HTTP would have it. */
export interface SiteAnswer {
  readonly status: number;
  /** The value of Payment-Receipt. */
  readonly receipt?: string;
  readonly problem?: { readonly type: string; readonly title: string };
}

/** How much it takes of a price, and when. */
type Taking = 'all' | 'part' | 'nothing' | 'later';
/** What it says then. */
type Saying = 'receipt' | '402' | '500' | 'nothing';

/** How long a visitor waits for an answer, in milliseconds. */
const PATIENCE_MS = 8000;
/** How long after a request it takes money at the latest, in milliseconds: longer than any token lives. */
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
    const id = `challenge-${this.#dice.bytes(9).toString('hex')}`;
    const externalId = this.#dice.permille(700) ? `order_${this.#dice.bytes(5).toString('hex')}` : undefined;
    const expiresAt = Math.floor(this.#world.loop.time) + this.#dice.between(5, 60) * 1000;
    const offer = { id, priceMinor, payee, externalId, expiresAt };
    this.#offers.set(id, offer);
    return offer;
  }

  /** The value of WWW-Authenticate. */
  challengeOf({ id, priceMinor, payee, externalId, expiresAt }: SiteOffer): string {
    const named = externalId === undefined ? {} : { externalId };
    const expires = new Date(expiresAt).toISOString();
    return mppChallenge({ id, amount: String(priceMinor), networkId: payee, realm: this.domain, expires, ...named });
  }

  /** A visitor comes with what pays. @returns undefined where no answer comes */
  visit(visitor: Owner, credential: string): Promise<SiteAnswer | undefined> {
    const { loop } = this.#world;
    const delay = () => 5 + 300 * this.#dice.fraction() ** 3;
    return new Promise((resolve) => {
      loop.schedule(visitor, PATIENCE_MS, 'no answer of a site', () => resolve(undefined));
      loop.schedule(this.#owner, delay(), 'request at a site', () => {
        const answer = this.#answer(credential);
        if (answer !== undefined) loop.schedule(visitor, delay(), 'answer of a site', () => resolve(answer));
      });
    });
  }

  #answer(header: string): SiteAnswer | undefined {
    const credential = readCredential(header);
    const offer = this.#offers.get(String(credential?.challenge['id']));
    const { spt, externalId } = credential?.payload ?? {};
    if (offer === undefined || typeof spt !== 'string' || offer.externalId !== externalId) return refused;
    if (offer.expiresAt <= this.#world.loop.time || this.#paid.has(offer.id)) return refused;
    const [taking, saying] = this.#temper();
    const half = Math.floor(offer.priceMinor / 2);
    if (taking === 'later') this.#takeLater(offer, spt, offer.priceMinor);
    if (taking === 'part' && half > 0) {
      this.#take(offer, spt, half);
      if (this.#dice.permille(500)) this.#takeLater(offer, spt, offer.priceMinor - half);
    }
    const reference = taking === 'all' ? this.#take(offer, spt, offer.priceMinor) : undefined;
    if (saying === '402') return refused;
    if (saying === 'nothing') return undefined;
    if (saying === '500') return { status: 500 };
    if (taking === 'nothing') {
      this.#world.tokens.claim(spt);
      return { status: 200, receipt: receiptOf(offer, 'pi_never_taken') };
    }
    return reference === undefined ? refused : { status: 200, receipt: receiptOf(offer, reference) };
  }

  /** Most are honest; few say that they took what they did not. */
  #temper(): readonly [Taking, Saying] {
    const dice = this.#dice;
    if (dice.permille(500)) return ['all', 'receipt'];
    if (dice.permille(40)) return ['nothing', 'receipt'];
    return [dice.of(['all', 'all', 'part', 'nothing', 'nothing', 'later']), dice.of(['402', '402', '500', 'nothing'])];
  }

  #take({ id, payee }: SiteOffer, token: string, amountMinor: number): string | undefined {
    const reference = this.#world.tokens.charge({ token, payee, amountMinor, currency: 'USD' });
    if (reference !== undefined) this.#paid.add(id);
    return reference;
  }

  #takeLater(offer: SiteOffer, token: string, amountMinor: number): void {
    const wait = this.#dice.of([2000, 20_000, LATE_MS]) * this.#dice.fraction();
    this.#world.loop.schedule(this.#owner, wait, 'a site takes money', () => this.#take(offer, token, amountMinor));
  }
}

const refused: SiteAnswer = {
  status: 402,
  problem: { type: 'https://paymentauth.org/problems/verification-failed', title: 'Payment verification failed' },
};

function receiptOf({ externalId }: SiteOffer, reference: string): string {
  const receipt = { method: 'stripe', status: 'success', reference, ...(externalId !== undefined && { externalId }) };
  return Buffer.from(JSON.stringify(receipt)).toString('base64url');
}
