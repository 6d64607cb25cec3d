/** The typed client's operations on a data folder, without a node: the same use cases, as its owner. */
import type { Client } from '../../../client/rest.ts';
import type { Caller } from '../../access/caller.ts';
import type { Deps } from '../../handlers/core/deps.ts';
import { parseInput } from '../../handlers/core/parseInput.ts';
import { Streamed } from '../../handlers/core/streamed.ts';
import { table } from '../../handlers/core/table.ts';
import { call, type UseCase } from '../../handlers/core/useCase.ts';

type Input = Readonly<Record<string, unknown>>;

/** An operation's answer, or the pieces of a long one. @throws Fault as a node would answer it */
export function performOffline(deps: Deps, caller: Caller, name: keyof typeof table, input: Input): Promise<unknown> {
  const useCase = table[name] as UseCase;
  return call(useCase.run, deps, caller, parseInput(useCase.input, input));
}

export function folderClient(deps: Deps, caller: Caller): Client {
  const methods = Object.keys(table).map((name) => [
    name,
    async (input: Input = {}) => whole(await performOffline(deps, caller, name as keyof typeof table, input)),
  ]);
  return Object.fromEntries(methods) as Client;
}

async function whole(output: unknown): Promise<unknown> {
  if (!(output instanceof Streamed)) return output;
  const pieces: string[] = [];
  for await (const piece of output.pieces) pieces.push(piece);
  const text = pieces.join('');
  return output.contentType.startsWith('application/json') ? JSON.parse(text) : text;
}
