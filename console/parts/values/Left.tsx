/** How long is left until something ends. */
import { seconds } from './clock.ts';
import { leftText } from './moment.ts';

export function Left({ until }: { readonly until: string }) {
  const ms = Date.parse(until) - seconds.value;
  return (
    <span class={ms < 60_000 ? 'left soon' : 'left'} role="timer" aria-live="off">
      {ms <= 0 ? 'over' : `${leftText(ms)} left`}
    </span>
  );
}
