/** The typed client's operations on a data folder, without a node: the same use cases, as its owner. */
import type { Client } from '../../../client/rest.ts';
import type { CsvName } from '../../../client/stream.ts';
import type { Caller } from '../../access/caller.ts';
import { ByteStream } from '../../usecase/byteStream.ts';
import type { Deps } from '../../usecase/deps.ts';
import { csvOf } from '../../usecase/list/csv.ts';
import { call, parseInput, useCaseIn } from '../../usecase/useCase.ts';

type Input = Readonly<Record<string, unknown>>;

/** @returns a client whose methods throw Fault where a node would answer an error */
export function folderClient(deps: Deps, caller: Caller): Client {
  const methods = Object.keys(deps.operations.table).map((name) => [
    name,
    async (input: Input = {}) => whole(await perform(deps, caller, name, input)),
  ]);
  return Object.fromEntries(methods) as Client;
}

/** The text of an evidence export as it is made. @throws Fault as a node would answer it */
export async function* streamFromFolder(deps: Deps, caller: Caller, input: Input): AsyncGenerator<string> {
  const output = await perform(deps, caller, 'exportEvidence', input);
  if (output instanceof ByteStream) yield* textOf(output);
}

/** What an operation gives in pieces, such as an archive. @throws Fault as a node would answer it */
export async function* bytesFromFolder(
  deps: Deps,
  caller: Caller,
  name: string,
  input: Input,
): AsyncGenerator<Uint8Array> {
  const output = await perform(deps, caller, name, input);
  if (!(output instanceof ByteStream)) return;
  for await (const piece of output.pieces) yield typeof piece === 'string' ? new TextEncoder().encode(piece) : piece;
}

/** What an operation gives as text, as it is made. @throws Fault as a node would answer it */
export async function* textFromFolder(deps: Deps, caller: Caller, name: string, input: Input): AsyncGenerator<string> {
  const output = await perform(deps, caller, name, input);
  if (output instanceof ByteStream) yield* textOf(output);
}

/** A list as CSV, as it is made. @throws Fault as a node would answer it */
export async function* csvFromFolder(deps: Deps, caller: Caller, name: CsvName, input: Input): AsyncGenerator<string> {
  const { run, csv, input: schema } = useCaseIn(deps.operations.table, name);
  if (csv !== undefined) yield* textOf(await csvOf(deps, caller, { run, csv }, parseInput(schema, input) as object));
}

function perform(deps: Deps, caller: Caller, name: string, input: Input): Promise<unknown> {
  const useCase = useCaseIn(deps.operations.table, name);
  return call(useCase.run, deps, caller, parseInput(useCase.input, input));
}

async function whole(output: unknown): Promise<unknown> {
  if (!(output instanceof ByteStream)) return output;
  const pieces: string[] = [];
  for await (const piece of textOf(output)) pieces.push(piece);
  const text = pieces.join('');
  return output.contentType.startsWith('application/json') ? JSON.parse(text) : text;
}

/** What is asked for here is text. */
async function* textOf({ pieces }: ByteStream): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  for await (const piece of pieces) yield typeof piece === 'string' ? piece : decoder.decode(piece, { stream: true });
}
