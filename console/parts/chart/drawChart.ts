/** Draws amounts by day as bars. */
import uPlot from 'uplot';
import { amountText } from '../values/amount.ts';
import { dayText } from '../values/moment.ts';
import type { Day } from './Chart.tsx';

const HEIGHT = 132;
const HALF_DAY_SECONDS = 12 * 3600;

/** @returns removes it */
export function drawChart(place: HTMLElement, days: readonly Day[], currency: string): () => void {
  const draw = () => {
    const chart = new uPlot(optionsFor(place, currency), dataOf(days), place);
    return () => chart.destroy();
  };
  let remove = draw();
  const again = () => {
    remove();
    remove = draw();
  };
  const resized = new ResizeObserver(() => {
    if (Math.abs(place.clientWidth - (place.firstElementChild?.clientWidth ?? 0)) > 1) again();
  });
  resized.observe(place);
  const dark = matchMedia('(prefers-color-scheme: dark)');
  dark.addEventListener('change', again);
  return () => {
    resized.disconnect();
    dark.removeEventListener('change', again);
    remove();
  };
}

function dataOf(days: readonly Day[]): uPlot.AlignedData {
  return [days.map(({ day }) => Date.parse(`${day}T00:00:00Z`) / 1000), days.map(({ amount }) => amount)];
}

function optionsFor(place: HTMLElement, currency: string): uPlot.Options {
  const style = getComputedStyle(place);
  const color = (name: string) => style.getPropertyValue(name).trim();
  const font = `12px ${style.fontFamily}`;
  const axis = { stroke: color('--quiet'), font, ticks: { show: false } };
  return {
    width: place.clientWidth,
    height: HEIGHT,
    legend: { show: false },
    cursor: { show: false },
    tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1000), 'UTC'),
    scales: {
      // The bars of the first and the last day are whole.
      x: { range: (_chart, first, last) => [first - HALF_DAY_SECONDS, last + HALF_DAY_SECONDS] },
      y: { range: (_chart, _low, high) => [0, high > 0 ? high * 1.1 : 1] },
    },
    axes: [
      {
        ...axis,
        grid: { show: false },
        space: 90,
        size: 24,
        gap: 6,
        values: (_chart, splits) => splits.map((seconds) => dayText(new Date(seconds * 1000), 'UTC')),
      },
      {
        ...axis,
        grid: { stroke: color('--line'), width: 1 },
        size: 46,
        splits: (_chart, _axis, _low, high) => [0, high / 2.2, high / 1.1],
        values: (_chart, splits) => splits.map((value) => shortText(value, currency)),
      },
    ],
    series: [
      {},
      { fill: color('--first'), stroke: color('--first'), width: 0, points: { show: false }, paths: bars() },
    ],
  };
}

function bars(): uPlot.Series.PathBuilder {
  const { bars: build } = uPlot.paths;
  if (build === undefined) throw new Error('uPlot draws no bars.');
  return build({ size: [0.62, 24], radius: 0.3 });
}

/** At an axis there is room for little; the currency stands above. */
function shortText(amount: number, currency: string): string {
  if (amount === 0) return '0';
  if (amount >= 1000) return Intl.NumberFormat('en-US', { notation: 'compact' }).format(amount);
  return amount >= 10 ? String(Math.round(amount)) : amountText(amount, currency).replace(/ .*$/, '');
}
