/** Lists of any length out of a node's pages. */
import { MAX_PAGE } from '../../../protocol/wire/page.ts';

interface AnyPage<Item> {
  readonly data: readonly Item[];
  readonly cursor: string | null;
}

/** @param read reads one page, given what chooses it @returns the newest records, at most `count` */
export async function newest<Item>(
  count: number,
  read: (page: { limit: number; cursor?: string }) => Promise<AnyPage<Item>>,
): Promise<Item[]> {
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
