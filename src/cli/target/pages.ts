/** Lists of any length out of a node's pages. */
import { MAX_PAGE } from '../../../protocol/wire/page.ts';
import { wholeNumber } from '../input/numbers.ts';

export const DEFAULT_LIMIT = '50';

interface AnyPage<Item> {
  readonly data: readonly Item[];
  readonly cursor: string | null;
}

/** The newest records, at most so many. @param read reads one page, given what chooses it */
export async function newest<Item>(
  limit: string,
  read: (page: { limit: number; cursor?: string }) => Promise<AnyPage<Item>>,
): Promise<Item[]> {
  const count = wholeNumber(limit, '--limit');
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
