/** Use cases that list: a page of rows, newest first, as callers see them. Each list is a row of what differs. */
import { z } from 'zod';
import { compact } from '../../../protocol/wire/compact.ts';
import { type Page, type PageRequest, pageOf } from '../../../protocol/wire/page.ts';
import type { Caller, Permission } from '../../access/caller.ts';
import type { Script } from '../../store/store.ts';
import type { Deps } from './deps.ts';
import { positionOf, toPage } from './paging.ts';
import { inOneRead, type UseCase, useCase } from './useCase.ts';

/** Where a row stands in its list: what a cursor holds, and how a row tells it. */
interface Order<Row, Position> {
  readonly position: z.ZodType<Position>;
  of(row: Row): Position;
}

/** The order of rows whose id is ordered by time. */
export const byId: Order<{ readonly id: string }, string> = { position: z.string(), of: (row) => row.id };

export const byMandateId: Order<{ readonly mandate_id: string }, string> = {
  position: z.string(),
  of: (row) => row.mandate_id,
};

interface Listing<Input extends PageRequest, Row, Item, Position> {
  readonly summary: string;
  /** What the list is filtered by, with the members that every list takes. */
  readonly input: z.ZodType<Input>;
  readonly item: z.ZodType<Item>;
  readonly permission: Permission;
  /** NOT_FOUND where the list is of something that need not be there. */
  readonly faults?: readonly 'NOT_FOUND'[];
  readonly order: Order<Row, Position>;
  /**
   * Reads at most `limit` rows, newest first.
   * @param before the position that the page begins after; undefined for the first page
   */
  select(
    caller: Caller,
    input: Input,
    before: Position | undefined,
    limit: number,
    now: number,
  ): Script<readonly Row[]>;
  show(row: Row, now: number, deps: Deps): Item;
}

export function listing<Input extends PageRequest, Row, Item, Position>(
  list: Listing<Input, Row, Item, Position>,
): UseCase<z.ZodType<Input>, Page<Item>> {
  return useCase({
    summary: list.summary,
    input: list.input,
    output: pageOf(list.item),
    permission: list.permission,
    ...compact({ faults: list.faults }),
    run: inOneRead<Input, Page<Item>>((deps, caller, input, now) => readPage(list, deps, caller, input, now)),
  });
}

/** One row more than the page is asked for, which tells whether there is a next page. */
export function* readPage<Input extends PageRequest, Row, Item, Position>(
  list: Pick<Listing<Input, Row, Item, Position>, 'order' | 'select' | 'show'>,
  deps: Deps,
  caller: Caller,
  input: Input,
  now: number,
): Script<Page<Item>> {
  const before = positionOf(list.order.position, input.cursor);
  const rows = yield* list.select(caller, input, before, input.limit + 1, now);
  return toPage(
    rows,
    input.limit,
    (row) => list.show(row, now, deps),
    (row) => list.order.of(row),
  );
}
