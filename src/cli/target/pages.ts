/** Lists of any length out of a node's pages. */
import { MAX_PAGE } from '../../../protocol/wire/page.ts';
import { wholeNumber } from '../input/numbers.ts';

export const DEFAULT_LIMIT = '50';

interface AnyPage<Item> {
  readonly data: readonly Item[];
  readonly cursor: string | null;
}

/** Reads one page, given what chooses it. */
type ReadPage<Item> = (page: { limit: number; cursor?: string }) => Promise<AnyPage<Item>>;

/** The newest records, at most so many. */
export function newest<Item>(limit: string, read: ReadPage<Item>): Promise<Item[]> {
  return firstOf(wholeNumber(limit, '--limit'), read);
}

/** Every record, newest first. */
export function everyRecord<Item>(read: ReadPage<Item>): Promise<Item[]> {
  return firstOf(Number.POSITIVE_INFINITY, read);
}

async function firstOf<Item>(count: number, read: ReadPage<Item>): Promise<Item[]> {
  const found: Item[] = [];
  let cursor: string | null | undefined;
  while (found.length < count && cursor !== null) {
    const page = await read({
      limit: Math.min(MAX_PAGE, count - found.length),
      ...(cursor === undefined ? {} : { cursor }),
    });
    found.push(...page.data);
    cursor = page.cursor;
  }
  return found;
}
