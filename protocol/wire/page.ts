/** Pages of a list: newest first, each with a cursor for the next page. */
import { z } from 'zod';

export const MAX_PAGE = 200;
const DEFAULT_PAGE = 50;

/** The parameters of every list. They come from a query string, so a number may be text. */
export const PageRequest = z.object({
  limit: z.coerce
    .number<number>()
    .int()
    .min(1)
    .max(MAX_PAGE)
    .default(DEFAULT_PAGE)
    .describe('How many records to return, 1 to 200.'),
  cursor: z.string().min(1).max(500).optional(),
});
export type PageRequest = z.infer<typeof PageRequest>;

/** A row of a page that cannot be shown, since what the database has of it is damaged. */
export const DamagedRow = z.object({
  place: z.string().describe('Where the row stands in its list, such as its id or its seq.'),
  message: z.string(),
});
export type DamagedRow = z.infer<typeof DamagedRow>;

export interface Page<Item> {
  readonly data: Item[];
  readonly hasMore: boolean;
  /** Requests the next page; null on the last. */
  readonly cursor: string | null;
  /** Absent where every row could be read. */
  readonly damaged?: readonly DamagedRow[];
}

export function pageOf<Item extends z.ZodType>(item: Item) {
  return z.object({
    data: z.array(item).describe('The records of this page.'),
    hasMore: z.boolean(),
    cursor: z.string().nullable().describe('Leads to the next page; null on the last.'),
    damaged: z
      .array(DamagedRow)
      .optional()
      .describe('The rows of this page that are not in data, since the database has them damaged.'),
  });
}
