/** A list of which a page is there: its rows and the way to more, or what stands in place of the first one. */
import type { ComponentChildren } from 'preact';
import type { Pages } from '../node/usePages.ts';
import { Button } from './Button.tsx';

interface PagedRowsProps<Item> {
  readonly pages: Pages<Item>;
  /** What is shown while there is none. */
  readonly empty: ComponentChildren;
  onMore(): void;
  readonly children: (item: Item) => ComponentChildren;
}

/** @param children makes one row, an element of a list with a key */
export function PagedRows<Item>({ pages: { items, hasMore }, empty, onMore, children }: PagedRowsProps<Item>) {
  if (items.length === 0) return <>{empty}</>;
  return (
    <>
      <ul class="rows">{items.map(children)}</ul>
      {hasMore && <Button onClick={onMore}>Show more</Button>}
    </>
  );
}
