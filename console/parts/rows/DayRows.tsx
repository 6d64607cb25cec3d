/** Records as rows, under a heading for each day where they stand by time, as tables have it. */
import { type ComponentChildren, Fragment } from 'preact';
import { byDay } from '../table/byDay.ts';

interface DayRowsProps<Item> {
  readonly items: readonly Item[];
  /** Its moment; without it there is one list, and no heading. */
  readonly timeOf?: ((item: Item) => string) | undefined;
  /** Makes one row, an element of a list with a key. */
  readonly children: (item: Item) => ComponentChildren;
}

export function DayRows<Item>({ items, timeOf, children }: DayRowsProps<Item>) {
  return (
    <>
      {byDay(items, timeOf).map(({ day, of }) => (
        <Fragment key={day}>
          {day !== undefined && <h2 class="day">{day}</h2>}
          <ul class="rows">{of.map(children)}</ul>
        </Fragment>
      ))}
    </>
  );
}
