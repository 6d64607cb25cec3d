/**
 * Amounts by day as bars; each day with an amount leads to what it is made of, and is told below when it is pointed at or has the
 * focus. Where a bar is too small to be touched, the chart as a whole is: the nearest day is told.
 */
import { useState } from 'preact/hooks';
import { isDesk } from '../table/isDesk.ts';
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
  const last = days.findLastIndex(({ amount }) => amount > 0);
  const [chosen, setChosen] = useState<number>();
  // Where nothing was paid on any of them, the newest one is told.
  const newest = last < 0 ? days.length - 1 : last;
  const at = Math.min(chosen ?? newest, days.length - 1);
  const top = roundTop(most.amount);
  const step = Math.ceil(days.length / DATES);
  const saysOf = ({ day, amount }: Day) => `${nameOf(day)}: ${amountText(amount, currency)}`;
  const barOf = ({ day, amount }: Day, index: number) => (
    <>
      {amount > 0 && <span class="chart-bar" style={{ height: `${(100 * amount) / top}%` }} />}
      {index % step === 0 && (
        <span class="chart-date" aria-hidden="true">
          {nameOf(day)}
        </span>
      )}
    </>
  );
  return (
    <>
      <fieldset
        class="bare chart"
        aria-label={`By day: the most on ${nameOf(most.day)}, ${amountText(most.amount, currency)}`}
        onKeyDown={isDesk.value ? moveFocus : undefined}
      >
        <Axis top={top} currency={currency} />
        <span class="chart-days">
          {days.map((each, index) =>
            !isDesk.value || each.amount <= 0 ? (
              <span key={each.day} class={`chart-day ${!isDesk.value && index === at ? 'chosen' : ''}`}>
                {barOf(each, index)}
              </span>
            ) : (
              <a
                key={each.day}
                class="chart-day"
                href={hrefOf(each.day)}
                title={saysOf(each)}
                aria-label={saysOf(each)}
                tabIndex={index === last ? 0 : -1}
                onFocus={() => setChosen(index)}
                onMouseEnter={() => setChosen(index)}
              >
                {barOf(each, index)}
              </a>
            ),
          )}
          {!isDesk.value && <Slider at={at} count={days.length} says={saysOf(days[at] as Day)} onChoose={setChosen} />}
        </span>
      </fieldset>
      <Chosen of={days[at] as Day} says={saysOf(days[at] as Day)} hrefOf={hrefOf} />
    </>
  );
}

function Axis({ top, currency }: { readonly top: number; readonly currency: string }) {
  return (
    <span class="chart-axis" aria-hidden="true">
      <span>{axisText(top, currency)}</span>
      <span>{axisText(top / 2, currency)}</span>
      <span>0</span>
    </span>
  );
}

interface SliderProps {
  readonly at: number;
  readonly count: number;
  readonly says: string;
  onChoose(index: number): void;
}

function Slider({ at, count, says, onChoose }: SliderProps) {
  return (
    <input
      type="range"
      class="chart-slider"
      aria-label="Day"
      aria-valuetext={says}
      min={0}
      max={count - 1}
      value={at}
      onInput={(event) => onChoose(event.currentTarget.valueAsNumber)}
    />
  );
}

interface ChosenProps extends Pick<ChartProps, 'hrefOf'> {
  readonly of: Day;
  readonly says: string;
}

function Chosen({ of: { day, amount }, says, hrefOf }: ChosenProps) {
  return (
    <p class="chart-chosen">
      {amount > 0 && !isDesk.value ? (
        <a href={hrefOf(day)}>
          {says} <span aria-hidden="true">›</span>
        </a>
      ) : (
        says
      )}
    </p>
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
