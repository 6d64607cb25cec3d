/** A list of which a page is there: its rows and the way to more, or what stands in place of the first one. */

import type { ComponentChildren } from 'preact';
import type { Pages } from '../../node/usePages.ts';
import { isDesk } from '../table/isDesk.ts';
import { MoreButton } from '../table/MoreButton.tsx';

interface PagedRowsProps<Item> {
  readonly pages: Pages<Item>;
  /** What is shown while there is none. */
  readonly empty: ComponentChildren;
  onMore(): void;
  /** Its table, where there is room for one. */
  readonly table?: (items: readonly Item[]) => ComponentChildren;
  readonly children: (item: Item) => ComponentChildren;
}

/** @param children makes one row, an element of a list with a key */
export function PagedRows<Item>({ pages: { items, hasMore }, empty, onMore, table, children }: PagedRowsProps<Item>) {
  if (items.length === 0) return <>{empty}</>;
  return (
    <>
      {table !== undefined && isDesk.value ? table(items) : <ul class="rows">{items.map(children)}</ul>}
      {hasMore && <MoreButton onMore={onMore} />}
    </>
  );
}
