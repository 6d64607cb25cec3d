/** What a purchase is, in short: the first things in the cart, whose money it is, what is paid with, and what is left afterwards. */
import type { ApprovalView } from '../../../protocol/approval.ts';
import { Fact } from '../../parts/Fact.tsx';
import { LongId } from '../../parts/values/LongId.tsx';

const MOST_ITEMS = 3;

export function InShort({ view: { items, ...view } }: { readonly view: ApprovalView }) {
  const more = items.length - MOST_ITEMS;
  return (
    <>
      <ul class="items">
        {items.slice(0, MOST_ITEMS).map(({ name, quantity, amount }, index) => (
          <li key={index}>
            <span>
              <bdi class="clamped">{name}</bdi>
              {quantity > 1 && <span class="quiet"> × {quantity}</span>}
            </span>
            <span class="money">{amount}</span>
          </li>
        ))}
      </ul>
      {more > 0 && <p class="quiet">And {more} more in the cart.</p>}
      <MoneyFacts view={view} />
    </>
  );
}

/** Whose money it is, what it is paid with, and what is left of the tightest limit. */
export function MoneyFacts({ view }: { readonly view: Pick<ApprovalView, 'principal' | 'instrument' | 'left'> }) {
  const { principal, instrument, left } = view;
  return (
    <dl class="facts">
      <Fact name="Money of">
        {principal.name === undefined ? <LongId id={principal.did} /> : <bdi>{principal.name}</bdi>}
      </Fact>
      <Fact name="Paid with">{instrument === undefined ? 'the usual payment method' : <bdi>{instrument}</bdi>}</Fact>
      {left !== undefined && (
        <Fact name="Left after it">
          <bdi>{left}</bdi>
        </Fact>
      )}
    </dl>
  );
}
