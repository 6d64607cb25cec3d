/** Lists records of a node: found by the options of a command, with the names of their agents, as a table, JSON or CSV. */
import type { Operations } from '../../../client/operations.ts';
import type { CsvName } from '../../../client/stream.ts';
import { type OptionsOperation, operationInput } from '../input/operationOptions.ts';
import { type Cell, columns } from '../output/layout.ts';
import { print, printPieces } from '../output/print.ts';
import { agentCalled, agentNames, newest, principalCalled } from './names.ts';
import type { TargetOptions } from './targetOptions.ts';
import { type Target, withTarget } from './withTarget.ts';

/** Operations whose answers are pages. */
type ListName = {
  [Name in keyof Operations]: Operations[Name]['output'] extends {
    readonly data: readonly unknown[];
    readonly cursor: string | null;
  }
    ? Name
    : never;
}[keyof Operations] &
  OptionsOperation;

type RecordOf<Name extends ListName> = Operations[Name]['output']['data'][number];

export interface ListOptions extends TargetOptions {
  readonly limit: number;
  readonly csv?: boolean;
}

/** How a list is shown. */
interface RecordTable<Item> {
  /** The heads of the columns; cells beyond them are left out. */
  readonly heads: readonly string[] | ((records: readonly Item[]) => readonly string[]);
  /** @param name of the record's agent, where it is known */
  row(record: Item, name: string | undefined): readonly Cell[];
  /** The DID of its agent; `agentDid` unless given. */
  agentOf?(record: Item): string | undefined;
}

/** The input of an operation by the options of a command. @throws CommandRefusal, WrongUse for names of no agent or several */
export function inputOf<Name extends OptionsOperation>(
  client: Target['client'],
  operation: Name,
  options: object,
): Promise<Operations[Name]['input']> {
  const didOf = (kind: 'agent' | 'principal', named: string) =>
    kind === 'agent' ? agentCalled(client, named) : principalCalled(client, named);
  return operationInput(operation, options as Readonly<Record<string, unknown>>, didOf) as Promise<
    Operations[Name]['input']
  >;
}

export function listRecords<Name extends ListName>(
  env: NodeJS.ProcessEnv,
  options: ListOptions,
  operation: Name,
  { heads, row, agentOf = agentIn }: RecordTable<RecordOf<Name>>,
): Promise<void> {
  return withTarget(env, options, async ({ client, listAsCsv }) => {
    const input = await inputOf(client, operation, options);
    if (options.csv === true)
      return printPieces(listAsCsv(operation as CsvName, input as Operations[CsvName]['input']));
    const read = client[operation] as (
      page: object,
    ) => Promise<{ data: readonly RecordOf<Name>[]; cursor: string | null }>;
    const records = await newest(options.limit, (page) => read({ ...page, ...input }));
    const agents = records.flatMap((each) => agentOf(each) ?? []);
    const called = agents.length === 0 ? new Map<string, string>() : await agentNames(client, agents);
    const named = typeof heads === 'function' ? heads(records) : heads;
    const rows = records.map((each) => row(each, called.get(String(agentOf(each)))).slice(0, named.length));
    print(options, records, columns(named, rows));
  });
}

function agentIn(record: unknown): string | undefined {
  return (record as { readonly agentDid?: string }).agentDid;
}
