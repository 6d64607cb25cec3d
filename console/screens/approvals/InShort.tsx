/** What a purchase is, in short: the first things in the cart, whose money it is, what is paid with, and what is left afterwards. */
import type { ApprovalView } from '../../../protocol/approval.ts';
import { Fact } from '../../parts/Fact.tsx';

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

type MoneyOfView = Pick<ApprovalView, 'principal' | 'instrument' | 'left' | 'usedUp'>;

/** Whose money it is, what it is paid with, and what is left before a limit refuses: in the words of the link's page. */
export function MoneyFacts({ view }: { readonly view: MoneyOfView }) {
  const { principal, instrument, left, usedUp } = view;
  return (
    <dl class="facts">
      <Fact name="Whose money">
        <bdi>{principal.name ?? 'A person who is not registered here'}</bdi>
      </Fact>
      <Fact name="Paid with">
        <bdi>{instrument ?? 'The usual payment method'}</bdi>
      </Fact>
      {left !== undefined && (
        <Fact name="Left after it">
          <bdi class={usedUp && 'used-up'}>{left}</bdi>
        </Fact>
      )}
    </dl>
  );
}
