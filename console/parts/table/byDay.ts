/** Records by the days of their moments, in the order in which they stand. */
import { dayTitle } from '../values/moment.ts';

interface DayGroup<Item> {
  /** Its heading; undefined where they do not stand by time. */
  readonly day: string | undefined;
  readonly of: Item[];
}

export function byDay<Item>(
  items: readonly Item[],
  timeOf: ((item: Item) => string) | undefined,
): readonly DayGroup<Item>[] {
  const days: DayGroup<Item>[] = [];
  for (const item of items) {
    const day = timeOf && dayTitle(timeOf(item));
    const last = days.at(-1);
    if (last !== undefined && last.day === day) last.of.push(item);
    else days.push({ day, of: [item] });
  }
  return days;
}
