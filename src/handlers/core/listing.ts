/** Use cases that list: a page of rows, newest first, as callers see them. Each list is a row of what differs. */
import { z } from 'zod';
import { compact } from '../../../protocol/wire/compact.ts';
import { type Page, type PageRequest, pageOf } from '../../../protocol/wire/page.ts';
import { type Caller, type Permission, requireActsFor } from '../../access/caller.ts';
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

/** How a list is narrowed to the rows of one agent. */
interface Own<Input> {
  /** The agent whose rows are asked for. */
  named(input: Input): string | undefined;
  of(input: Input, agentDid: string): Input;
}

/** For a list that is filtered by `agentDid`. */
export const byAgent = {
  named: ({ agentDid }: { readonly agentDid?: string | undefined }) => agentDid,
  of: <Input extends object>(input: Input, agentDid: string): Input => ({ ...input, agentDid }),
};

interface Listing<Input extends PageRequest, Row, Item, Position> {
  readonly summary: string;
  /** What the list is filtered by, with the members that every list takes. */
  readonly input: z.ZodType<Input>;
  readonly item: z.ZodType<Item>;
  readonly permission: Permission | 'self';
  /** NOT_FOUND where the list is of something that need not be there; FORBIDDEN where not all have one. */
  readonly faults?: readonly ('FORBIDDEN' | 'NOT_FOUND')[];
  readonly order: Order<Row, Position>;
  /** How an agent gets its own rows; without it the list is not open to agents. */
  readonly own?: Own<NoInfer<Input>>;
  /** True where a page may take many reads, so that it is read beside the writer. */
  readonly isLong?: true;
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
    ...compact({ faults: list.faults, showsOwn: list.own === undefined ? undefined : (true as const) }),
    run: inOneRead<Input, Page<Item>>(
      (deps, caller, input, now) => readPage(list, deps, caller, input, now),
      list.isLong === true ? 'readApart' : 'read',
    ),
  });
}

/** One row more than the page is asked for, which tells whether there is a next page. */
export function* readPage<Input extends PageRequest, Row, Item, Position>(
  list: Pick<Listing<Input, Row, Item, Position>, 'order' | 'select' | 'show' | 'own'>,
  deps: Deps,
  caller: Caller,
  input: Input,
  now: number,
): Script<Page<Item>> {
  const before = positionOf(list.order.position, input.cursor);
  const rows = yield* selectOwn(list, caller, input, before, now);
  return toPage(
    rows,
    input.limit,
    (row) => list.show(row, now, deps),
    (row) => list.order.of(row),
  );
}

/** The rows of a page, and one more; of the caller's own agents where it is bound to some. */
function* selectOwn<Input extends PageRequest, Row, Item, Position>(
  { order, select, own }: Pick<Listing<Input, Row, Item, Position>, 'order' | 'select' | 'own'>,
  caller: Caller,
  input: Input,
  before: Position | undefined,
  now: number,
): Script<readonly Row[]> {
  const limit = input.limit + 1;
  if (caller.agents === undefined || own === undefined) return yield* select(caller, input, before, limit, now);
  const named = own.named(input);
  if (named !== undefined) requireActsFor(caller, named);
  const agents = named === undefined ? [...caller.agents] : [named];
  const rows: Row[] = [];
  for (const did of agents) rows.push(...(yield* select(caller, own.of(input, did), before, limit, now)));
  return rows.sort((one, other) => compareValues(order.of(other), order.of(one))).slice(0, limit);
}

/** Compares positions as the queries order them: text by its characters, members in their order. */
function compareValues(one: unknown, other: unknown): number {
  if (typeof one === 'object' && one !== null) {
    for (const [name, value] of Object.entries(one)) {
      const order = compareValues(value, (other as Readonly<Record<string, unknown>>)[name]);
      if (order !== 0) return order;
    }
    return 0;
  }
  return (one as string | number) < (other as string | number) ? -1 : one === other ? 0 : 1;
}
