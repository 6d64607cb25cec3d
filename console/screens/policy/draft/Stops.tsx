/** Whom the limits of a draft stop as soon as it is in force. */
import type { LimitCount } from '../policies.ts';
import { stopText } from './stopText.ts';

export function Stops({ counted }: { readonly counted: readonly LimitCount[] }) {
  const stopping = counted.filter(({ isChanged, usedUp }) => isChanged && usedUp > 0);
  return (
    <>
      {stopping.map((maximum) => (
        <p key={`${maximum.name} ${maximum.measure} ${maximum.currency}`} class="note">
          <bdi>{stopText(maximum)}</bdi>
        </p>
      ))}
    </>
  );
}
