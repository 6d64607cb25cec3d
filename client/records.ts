/** Lists of any length as one sequence: each page is asked for when the records of the one before are used up. */
import { CountersignError } from './error.ts';
import type { CallOptions } from './request.ts';

/** A page as the lists of a node have it. */
type AnyPage<Item> = { readonly cursor: string | null } & (
  | { readonly data: readonly Item[] }
  | { readonly logs: readonly Item[] }
);

/**
 * The records of a list, in its order.
 * @param list a method of the client, such as `node.listPayments`
 * @param input what the list takes: filters, `limit` for the size of a page, `cursor` to begin behind a page
 * @throws CountersignError as the list does
 */
export async function* each<Input extends { readonly cursor?: string } | undefined, Item>(
  list: (input: Input, options?: CallOptions) => Promise<AnyPage<Item>>,
  input?: Input,
  options?: CallOptions,
): AsyncGenerator<Item, void, undefined> {
  for (let cursor = input?.cursor; ; ) {
    const page = await list({ ...input, ...(cursor === undefined ? {} : { cursor }) } as Input, options);
    yield* 'data' in page ? page.data : page.logs;
    if (page.cursor === null) return;
    if (page.cursor === cursor) {
      throw new CountersignError('INVALID_ANSWER', 'A page leads to itself.', { status: 200 });
    }
    cursor = page.cursor;
  }
}
