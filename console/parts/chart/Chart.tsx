/** Amounts by day as bars; each day with an amount leads to what it is made of. */

import { amountText } from '../values/amount.ts';
import { dayText } from '../values/moment.ts';
import { axisText, roundTop } from './scale.ts';

interface Day {
  /** YYYY-MM-DD. */
  readonly day: string;
  readonly amount: number;
}

interface ChartProps {
  /** The oldest first. */
  readonly days: readonly Day[];
  readonly currency: string;
  hrefOf(day: string): string;
}

/** So many days have their date below them. */
const DATES = 4;

export function Chart({ days, currency, hrefOf }: ChartProps) {
  const most = days.reduce((one, other) => (other.amount > one.amount ? other : one));
  const top = roundTop(most.amount);
  const last = days.findLast(({ amount }) => amount > 0);
  const step = Math.ceil(days.length / DATES);
  return (
    <fieldset
      class="bare chart"
      aria-label={`By day: the most on ${nameOf(most.day)}, ${amountText(most.amount, currency)}`}
      onKeyDown={moveFocus}
    >
      <span class="chart-axis" aria-hidden="true">
        <span>{axisText(top, currency)}</span>
        <span>{axisText(top / 2, currency)}</span>
        <span>0</span>
      </span>
      <span class="chart-days">
        {days.map(({ day, amount }, index) => {
          const bar = <span class="chart-bar" style={{ height: `${(100 * amount) / top}%` }} />;
          const date = index % step === 0 && (
            <span class="chart-date" aria-hidden="true">
              {nameOf(day)}
            </span>
          );
          if (amount <= 0) {
            return (
              <span key={day} class="chart-day">
                {date}
              </span>
            );
          }
          const says = `${nameOf(day)}: ${amountText(amount, currency)}`;
          return (
            <a
              key={day}
              class="chart-day"
              href={hrefOf(day)}
              title={says}
              aria-label={says}
              tabIndex={day === last?.day ? 0 : -1}
            >
              {bar}
              {date}
            </a>
          );
        })}
      </span>
    </fieldset>
  );
}

function nameOf(day: string): string {
  return dayText(new Date(`${day}T12:00:00Z`), 'UTC');
}

/** One day is reached by Tab, the others by arrows, so that a month is no hindrance on the way to what stands below. */
function moveFocus(event: KeyboardEvent & { readonly currentTarget: HTMLElement }): void {
  const by = event.key === 'ArrowLeft' ? -1 : event.key === 'ArrowRight' ? 1 : 0;
  if (by === 0) return;
  const all = [...event.currentTarget.querySelectorAll('a')];
  all[all.indexOf(document.activeElement as HTMLAnchorElement) + by]?.focus();
  event.preventDefault();
}
