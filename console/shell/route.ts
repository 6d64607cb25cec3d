/** The place that the console shows, the way to another, and what "back" finds again there. */
import { signal } from '@preact/signals';
import { placeOf, type ScreenRoute } from './places.ts';

export const place = signal<ScreenRoute>(placeOf(location.hash));

/** What an entry of the browser's history had when it was left. */
interface HistoryEntry {
  /** How far it was scrolled, in CSS pixels. */
  scroll?: number;
  /** The path of the place that led there. */
  from?: string;
  /** How many pages of its lists were shown, by the name of the list. */
  readonly pages: Map<string, number>;
  /** The line of a table that had the focus last, by its key. */
  line?: string;
}

const lefts = new Map<string, HistoryEntry>();
let count = 0;
let here = entryOf(history.state) ?? enter();

// The browser scrolls before a list has its rows.
history.scrollRestoration = 'manual';

addEventListener('hashchange', () => {
  leave();
  here = entryOf(history.state) ?? enter(place.peek().path);
  place.value = placeOf(location.hash);
});

/** @param options.replace so that "back" leads past the place before */
export function go(href: string, options: { readonly replace?: boolean } = {}): void {
  const isReplaced = options.replace === true;
  if (!isReplaced && href === location.hash) return;
  if (isReplaced) {
    history.replaceState({ entry: here }, '', href);
  } else {
    leave();
    here = newEntry(place.peek().path);
    history.pushState({ entry: here }, '', href);
  }
  place.value = placeOf(href);
}

/** How far the place was scrolled when it was left; undefined where it was not shown before. */
export function scrolledTo(): number | undefined {
  return lefts.get(here)?.scroll;
}

/** The path of the place that this one was come to from, which "back" leads to. */
export function cameFrom(): string | undefined {
  return lefts.get(here)?.from;
}

/** How many pages of a list are shown at this place, and were when it was left. */
export function pagesOf(list: string): number {
  return lefts.get(here)?.pages.get(list) ?? 1;
}

export function keepPages(list: string, pages: number): void {
  leftOf(here).pages.set(list, pages);
}

/** The line of a table that had the focus last at this place. */
export function lineOf(): string | undefined {
  return lefts.get(here)?.line;
}

export function keepLine(line: string): void {
  leftOf(here).line = line;
}

function leave(): void {
  leftOf(here).scroll = scrollY;
}

function leftOf(entry: string): HistoryEntry {
  const left = lefts.get(entry) ?? { pages: new Map<string, number>() };
  lefts.set(entry, left);
  return left;
}

/** The browser made the entry, as it does for a link: it gets its name now. */
function enter(from?: string): string {
  const entry = newEntry(from);
  history.replaceState({ entry }, '');
  return entry;
}

function newEntry(from: string | undefined): string {
  count += 1;
  // Entries from before the page was loaded again have names, too.
  const entry = `${performance.timeOrigin} ${count}`;
  if (from !== undefined) leftOf(entry).from = from;
  return entry;
}

function entryOf(state: unknown): string | undefined {
  const entry = (state as { readonly entry?: unknown } | null)?.entry;
  return typeof entry === 'string' ? entry : undefined;
}
