/** Amounts by day. The drawing is loaded when it is needed; its place is kept, and what it shows is also said in words. */
import { useEffect, useRef } from 'preact/hooks';
import { amountText } from '../values/amount.ts';

export interface Day {
  readonly day: string;
  readonly amount: number;
}

interface ChartProps {
  readonly days: readonly Day[];
  readonly currency: string;
}

export function Chart({ days, currency }: ChartProps) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = place.current;
    if (element === null) return;
    let end: (() => void) | undefined;
    let isGone = false;
    void import('./drawChart.ts').then(({ drawChart }) => {
      if (!isGone) end = drawChart(element, days, currency);
    });
    return () => {
      isGone = true;
      end?.();
    };
  }, [days.map(({ amount }) => amount).join(), currency]);
  const most = days.reduce((one, other) => (other.amount > one.amount ? other : one));
  return (
    <div
      ref={place}
      class="chart"
      role="img"
      aria-label={`By day: the most on ${most.day}, ${amountText(most.amount, currency)}`}
    />
  );
}
