/** A list that is loaded a page at a time, from its newest record on, and loaded again as far as it is shown. */
import { useRef } from 'preact/hooks';
import { keepPages, pagesOf } from '../shell/route.ts';
import { type LoadState, useLoaded } from './useLoaded.ts';

const PAGE = 20;

interface Page<Item> {
  readonly data: readonly Item[];
  readonly cursor: string | null;
}

export interface Pages<Item> {
  readonly items: readonly Item[];
  readonly hasMore: boolean;
}

type LoadPage<Item> = (page: { limit: number; cursor?: string }, signal: AbortSignal) => Promise<Page<Item>>;

/** @param key, kinds as of useLoaded */
export function usePages<Item>(
  key: string,
  loadPage: LoadPage<Item>,
  kinds: readonly string[],
): LoadState<Pages<Item>> & { more(): void } {
  const shown = useRef({ key, pages: pagesOf(key) });
  if (shown.current.key !== key) shown.current = { key, pages: pagesOf(key) };
  const found = useLoaded(key, (signal) => loadUpTo(shown.current.pages, loadPage, signal), kinds);
  const more = () => {
    shown.current.pages += 1;
    keepPages(key, shown.current.pages);
    found.reload();
  };
  return { ...found, more };
}

/** What is new must not move what is old out of the pages that are shown. */
async function loadUpTo<Item>(pages: number, loadPage: LoadPage<Item>, signal: AbortSignal): Promise<Pages<Item>> {
  const items: Item[] = [];
  let cursor: string | null = null;
  for (let page = 0; page < pages; page++) {
    const next: Page<Item> = await loadPage({ limit: PAGE, ...(cursor === null ? {} : { cursor }) }, signal);
    items.push(...next.data);
    cursor = next.cursor;
    if (cursor === null) break;
  }
  return { items, hasMore: cursor !== null };
}
