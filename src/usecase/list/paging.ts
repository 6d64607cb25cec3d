/** Pages of a list: newest first, with an opaque cursor that stays put while rows are added. */
import type { z } from 'zod';
import { fromBase64url, toBase64url } from '../../../protocol/credential/encodings.ts';
import { Fault } from '../../../protocol/wire/fault.ts';
import type { DamagedRow, Page } from '../../../protocol/wire/page.ts';

/** Reads the position a cursor stands for. @throws Fault BAD_REQUEST for one this list did not give */
export function positionOf<Position extends z.ZodType>(
  schema: Position,
  cursor: string | undefined,
): z.output<Position> | undefined {
  if (cursor === undefined) return undefined;
  const bytes = fromBase64url(cursor);
  try {
    if (bytes !== undefined) return schema.parse(JSON.parse(new TextDecoder().decode(bytes)));
  } catch {
    // Every way in which a cursor can be wrong gets the same fault, below.
  }
  throw new Fault('BAD_REQUEST', 'The cursor is not one that this list returned.', [
    { path: 'cursor', message: 'use the cursor of the page before, as it was returned' },
  ]);
}

/**
 * Makes a page of rows that were asked for with one more than the limit.
 * @param position where a row stands in the list
 * @param upTo how far the list was looked through, where that was not to its end
 */
export function toPage<Row, Item>(
  rows: readonly Row[],
  limit: number,
  show: (row: Row) => Item,
  position: (row: Row) => unknown,
  upTo?: unknown,
): Page<Item> {
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  const next = rows.length > limit && last !== undefined ? position(last) : upTo;
  return {
    ...showRows(shown, show, position),
    hasMore: next !== undefined,
    cursor: next === undefined ? null : cursorOf(next),
  };
}

/**
 * Shows the rows of a page. A row that cannot be shown, as after a fault of the disk, is named, and the others come.
 * @param position where a row stands in its list
 * @throws Fault where a row is not damaged, and may not be shown
 */
export function showRows<Row, Item>(
  rows: readonly Row[],
  show: (row: Row) => Item,
  position: (row: Row) => unknown,
): Pick<Page<Item>, 'data' | 'damaged'> {
  const data: Item[] = [];
  const damaged: DamagedRow[] = [];
  for (const row of rows) {
    try {
      data.push(show(row));
    } catch (error) {
      if (error instanceof Fault) throw error;
      const place = position(row);
      damaged.push({ place: typeof place === 'string' ? place : JSON.stringify(place), message: DAMAGED });
    }
  }
  return damaged.length === 0 ? { data } : { data, damaged };
}

const DAMAGED =
  'This row cannot be read: its text in the database is damaged. countersign doctor says what can be done.';

/** The cursor that stands for a position. */
export function cursorOf(position: unknown): string {
  return toBase64url(new TextEncoder().encode(JSON.stringify(position)));
}
