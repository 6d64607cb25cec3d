/** Use cases that list: a page of rows, newest first, as callers see them. Each list is a row of what differs. */
import { z } from 'zod';
import { compact } from '../../../protocol/wire/compact.ts';
import { type Page, type PageRequest, pageOf } from '../../../protocol/wire/page.ts';
import { type Caller, type Permission, requireActsFor } from '../../access/caller.ts';
import type { Script } from '../../store/store.ts';
import type { Deps } from '../deps.ts';
import { type CsvForm, inOneRead, type UseCase, useCase } from '../useCase.ts';
import { positionOf, toPage } from './paging.ts';

/** Where a row stands in its list: what a cursor holds, and how a row tells it. */
export interface Order<Row, Position> {
  readonly position: z.ZodType<Position>;
  of(row: Row): Position;
  /** Where the row with the least position is the first one. */
  readonly isAscending?: true;
}

/** The order of a list, or of what is asked of it. */
type OrderOf<Input, Row, Position> = Order<Row, Position> | ((input: Input) => Order<Row, Position>);

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

/** Rows that were looked for among others. */
interface SearchResult<Row, Position> {
  readonly rows: readonly Row[];
  /** How far it was looked, where that was not to the end of the list and not enough were found. */
  readonly upTo?: Position;
}

interface Listing<Input extends PageRequest, Row, Item, Position> {
  readonly summary: string;
  /** What the list is filtered by, with the members that every list takes. */
  readonly input: z.ZodType<Input>;
  readonly item: z.ZodType<Item>;
  readonly permission: Permission | 'self';
  /** NOT_FOUND where the list is of something that need not be there; FORBIDDEN where not all have one. */
  readonly faults?: readonly ('FORBIDDEN' | 'NOT_FOUND')[];
  readonly order: OrderOf<Input, Row, Position>;
  /** How an agent gets its own rows; without it the list is not open to agents. */
  readonly own?: Own<NoInfer<Input>>;
  /** Whether a page may take many reads, so that it is read beside the writer. */
  isLong?(input: Input): boolean;
  /**
   * Reads at most `limit` rows in the order of the list.
   * @param before the position that the page begins after; undefined for the first page
   */
  select(
    caller: Caller,
    input: Input,
    before: Position | undefined,
    limit: number,
    now: number,
  ): Script<readonly Row[] | SearchResult<Row, Position>>;
  show(row: Row, now: number, deps: Deps): Item;
  /** The columns of its CSV, by their names; it has none where they are left out. */
  readonly csv?: CsvColumns<Item>;
}

/** A list as CSV. */
interface CsvColumns<Item, Facts = unknown> {
  readonly fileName: string;
  /** What each column has of an item, by its name. @param facts what `load` has read of the page */
  readonly columns: Readonly<Record<string, (item: Item, facts: Facts) => string | number | undefined>>;
  /** Reads what columns have besides the items, once for each page. */
  load?(deps: Deps, caller: Caller, items: readonly Item[]): Promise<Facts>;
}

/** Declares a list as CSV with the types of what it reads besides. */
export function csvColumns<Item, Facts>(given: CsvColumns<Item, Facts>): CsvColumns<Item> {
  return given as CsvColumns<Item>;
}

export function csvOfPages<Item>({ fileName, columns, load }: CsvColumns<Item>): CsvForm<Page<Item>> {
  return {
    fileName,
    header: Object.keys(columns),
    ...(load === undefined
      ? {}
      : { load: (deps: Deps, caller: Caller, { data }: Page<Item>) => load(deps, caller, data) }),
    rows: ({ data }, facts) => data.map((item) => Object.values(columns).map((cell) => cell(item, facts))),
    cursorOf: ({ cursor }) => cursor,
  };
}

export function listing<Input extends PageRequest, Row, Item, Position>(
  list: Listing<Input, Row, Item, Position>,
): UseCase<z.ZodType<Input>, Page<Item>> {
  return useCase({
    summary: list.summary,
    input: list.input,
    output: pageOf(list.item),
    permission: list.permission,
    ...compact({
      faults: list.faults,
      showsOwn: list.own === undefined ? undefined : (true as const),
      csv: list.csv && csvOfPages(list.csv),
    }),
    run: inOneRead<Input, Page<Item>>(
      (deps, caller, input, now) => readPage(list, deps, caller, input, now),
      // A caller that is bound to agents gets the list of each.
      (input, { agents }) => (agents !== undefined || list.isLong?.(input) === true ? 'readApart' : 'read'),
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
  const order = typeof list.order === 'function' ? list.order(input) : list.order;
  const before = positionOf(order.position, input.cursor);
  const { rows, upTo } = yield* selectOwn({ ...list, order }, caller, input, before, now);
  const page = toPage(
    rows,
    input.limit,
    (row) => list.show(row, now, deps),
    (row) => order.of(row),
    upTo,
  );
  if (page.damaged !== undefined) deps.log.error('list.damaged', { places: page.damaged.map(({ place }) => place) });
  return page;
}

/** The rows of a page, and one more; of the caller's own agents where it is bound to some. */
function* selectOwn<Input extends PageRequest, Row, Item, Position>(
  {
    order,
    select,
    own,
  }: Pick<Listing<Input, Row, Item, Position>, 'select' | 'own'> & { readonly order: Order<Row, Position> },
  caller: Caller,
  input: Input,
  before: Position | undefined,
  now: number,
): Script<SearchResult<Row, Position>> {
  const limit = input.limit + 1;
  if (caller.agents === undefined || own === undefined) return found(yield* select(caller, input, before, limit, now));
  const named = own.named(input);
  if (named !== undefined) requireActsFor(caller, named);
  const agents = named === undefined ? [...caller.agents] : [named];
  const compare = (one: Position, other: Position) => (order.isAscending ? -1 : 1) * compareValues(one, other);
  const all: Row[] = [];
  let upTo: Position | undefined;
  for (const did of agents) {
    const each = found(yield* select(caller, own.of(input, did), before, limit, now));
    all.push(...each.rows);
    const isNewer = upTo === undefined || (each.upTo !== undefined && compare(each.upTo, upTo) > 0);
    if (isNewer) upTo = each.upTo;
  }
  // What lies beyond is found by the next page, with that of the others.
  const rows = upTo === undefined ? all : all.filter((row) => compare(order.of(row), upTo) >= 0);
  const page = rows.sort((one, other) => compare(order.of(other), order.of(one))).slice(0, limit);
  return upTo === undefined ? { rows: page } : { rows: page, upTo };
}

function found<Row, Position>(selected: readonly Row[] | SearchResult<Row, Position>): SearchResult<Row, Position> {
  return 'rows' in selected ? selected : { rows: selected };
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
