/** Whom the limits of a draft stop as soon as it is in force. */
import type { LimitCount } from '../policies.ts';
import { stopText } from './stopText.ts';

export function Stops({ counted }: { readonly counted: readonly LimitCount[] }) {
  const changed = counted.filter(({ isChanged }) => isChanged);
  const stopping = changed.filter(({ usedUp }) => usedUp > 0);
  return (
    <>
      {stopping.map((maximum) => (
        <p key={`${maximum.name} ${maximum.measure} ${maximum.currency}`} class="note">
          <bdi>{stopText(maximum)}</bdi>
        </p>
      ))}
      {changed.some(({ isAll }) => !isAll) && (
        <p class="note">Only the 200 newest were looked at: the limit may stop others, too.</p>
      )}
    </>
  );
}
