/**
 * The same purchase twice, written from docs/guides/same-purchase.md: payments of the same payer, merchant, total and items within the
 * rule's window, or of unknown outcome however old, and at a cart the approved ones that are not paid yet. What carts are of is known
 * from what their askers sent. Whether the approval of an intent whose time is over still counts is left open.
 */
import { z } from 'zod';
import type { Range } from './limitModel.ts';
import type { Rules } from './policyModel.ts';
import { thousandthsOf } from './thousandths.ts';
import { durationMs } from './windowModel.ts';

const Cart = z.object({
  credentialSubject: z.object({
    items: z.array(z.object({ name: z.string(), price: z.number(), quantity: z.int() })),
  }),
});

/** @param cartVc as its asker sent it @returns what is bought, in any order and any case; undefined for what is no cart */
export function contentOf(cartVc: unknown): string | undefined {
  const cart = Cart.safeParse(cartVc);
  if (!cart.success) return undefined;
  const lines = new Map<string, number>();
  for (const { name, price, quantity } of cart.data.credentialSubject.items) {
    const line = `${thousandthsOf(price)} ${name.normalize('NFKC').toLowerCase().split(/\s+/).filter(Boolean).join(' ')}`;
    lines.set(line, (lines.get(line) ?? 0) + quantity);
  }
  return JSON.stringify([...lines].sort());
}

/** A purchase as it is compared. */
export interface Compared {
  /** The governed principal, else the agent. */
  readonly payer: string;
  readonly merchant: string | undefined;
  readonly currency: string;
  /** In thousandths. */
  readonly thousandths: number;
  readonly cartHash: string;
  readonly intent: string;
  /** Whether the node made the cart: what is bought is an address then, and never the same as any list of items. */
  readonly isOffer: boolean;
}

interface Approved {
  readonly key: string;
  readonly cartHash: string;
  readonly agent: string;
  readonly endsAt: number;
  isIntentOver: boolean;
}

interface Paid {
  readonly key: string;
  readonly cartHash: string;
  readonly at: number;
  status: string;
  captured: number;
  refunded: number;
}

export interface SameVerdict {
  readonly action: 'deny' | 'presence';
  readonly before: Range;
  readonly surely: boolean;
  readonly possibly: boolean;
}

/** The states before money is taken. */
const OPEN: readonly string[] = ['PENDING', 'UNKNOWN', 'AUTHORIZED'];

export class SameModel {
  readonly #contentOf: (cartHash: string) => string | undefined;
  /** By intent. */
  readonly #approved = new Map<string, Approved>();
  /** By payment, and by what was bought. */
  readonly #paid = new Map<string, Paid>();
  readonly #byKey = new Map<string, Set<Paid>>();
  /** Whether a cart was bought whose content is not known here, so that nothing is certain. */
  #isBlind = false;
  /** Intents whose carts the node made. */
  readonly #offers = new Set<string>();

  /** @param contentOf what the cart with a hash is of, where it is known */
  constructor(contentOf: (cartHash: string) => string | undefined) {
    this.#contentOf = contentOf;
  }

  /** @param stage what is judged: at the payment, payments alone count @returns undefined where the rule is not asked */
  judge(
    { risk, context, spend }: Rules,
    bought: Compared,
    now: number,
    stage: 'cart' | 'payment',
  ): SameVerdict | undefined {
    const { duplicate: rule } = risk;
    const key = stage === 'cart' ? this.#keyOf(bought) : this.#approved.get(bought.intent)?.key;
    if (rule === undefined || key === undefined || this.#isBlind) return undefined;
    if (bought.thousandths <= (thousandthsOf(rule.above ?? 0) ?? 0)) return undefined;
    const after = now - durationMs(rule.window);
    const paid = [...(this.#byKey.get(key) ?? [])].filter(
      (each) => counts(each) && each.cartHash !== bought.cartHash && (each.status === 'UNKNOWN' || each.at > after),
    ).length;
    const approved = stage === 'payment' ? [] : this.#approvedAs(key, bought, now);
    const least = paid + approved.filter(({ isIntentOver }) => !isIntentOver).length;
    const before = { least, most: paid + approved.length };
    const { max = 1 } = rule;
    const isComparable = spend.currency === undefined || spend.currency === bought.currency;
    return {
      action: context.presence === 'never' ? 'deny' : rule.action,
      before,
      surely: isComparable && before.least >= max,
      possibly: isComparable && before.most >= max,
    };
  }

  #approvedAs(key: string, { intent, cartHash }: Compared, now: number): readonly Approved[] {
    return [...this.#approved]
      .filter(([id, each]) => id !== intent && each.key === key && each.cartHash !== cartHash && each.endsAt > now)
      .map(([, each]) => each);
  }

  #keyOf({ payer, merchant, currency, thousandths, cartHash }: Compared): string | undefined {
    const content = this.#contentOf(cartHash);
    if (merchant === undefined || content === undefined) return undefined;
    return JSON.stringify([payer, merchant, currency, thousandths, content]);
  }

  approve(bought: Compared, agent: string, endsAt: number): void {
    const key = this.#keyOf(bought);
    if (bought.isOffer) this.#offers.add(bought.intent);
    else this.#isBlind ||= key === undefined;
    if (key === undefined) return;
    this.#approved.set(bought.intent, { key, cartHash: bought.cartHash, agent, endsAt, isIntentOver: false });
  }

  /** @param isVoid whether its approvals are void, as after a denial */
  endIntent(intent: string, isVoid: boolean): void {
    const approved = this.#approved.get(intent);
    if (approved !== undefined) approved.isIntentOver = true;
    if (isVoid) this.#approved.delete(intent);
  }

  /** The approvals of an agent that was revoked are void. */
  revoke(agent: string): void {
    for (const [intent, approved] of this.#approved) if (approved.agent === agent) this.#approved.delete(intent);
  }

  pay(intent: string, id: string, at: number): void {
    const approved = this.#approved.get(intent);
    const isOffer = this.#offers.delete(intent);
    this.#isBlind ||= approved === undefined && !isOffer;
    if (approved === undefined) return;
    this.#approved.delete(intent);
    const { key, cartHash } = approved;
    const paid = { key, cartHash, at, status: 'PENDING', captured: 0, refunded: 0 };
    this.#paid.set(id, paid);
    this.#byKey.set(key, (this.#byKey.get(key) ?? new Set()).add(paid));
  }

  /** @param money in thousandths, as far as the event says it */
  become(id: string, status: string, money: { readonly captured?: number; readonly refunded?: number }): void {
    const paid = this.#paid.get(id);
    if (paid !== undefined) Object.assign(paid, { status }, money);
  }

  /** Forgets what ended so long before that no window reaches it. */
  forget(before: number): void {
    for (const [intent, { endsAt }] of this.#approved) if (endsAt < before) this.#approved.delete(intent);
    for (const [id, paid] of this.#paid) {
      if (paid.at >= before || paid.status === 'UNKNOWN') continue;
      this.#paid.delete(id);
      const all = this.#byKey.get(paid.key);
      all?.delete(paid);
      if (all?.size === 0) this.#byKey.delete(paid.key);
    }
  }
}

/** What failed, was cancelled or wholly given back took no money. */
function counts({ status, captured, refunded }: Paid): boolean {
  return OPEN.includes(status) || (status !== 'FAILED' && status !== 'CANCELED' && refunded < captured);
}
