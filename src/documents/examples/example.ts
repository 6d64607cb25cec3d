/** What an example is: an input that can be sent as it stands, and what a node answers to it. */
import type { z } from 'zod';
import type { table, UseCaseName } from '../../operations/table.ts';

export interface Example<Input = Readonly<Record<string, unknown>>> {
  /** Path, query and body parameters together. */
  readonly input: Input;
  /** Left out where there is nothing to answer. */
  readonly output?: unknown;
  /** Why a test cannot send it to a node, where that is so: it needs, say, an authenticator. */
  readonly notPlayed?: string;
  /** The same use case when the policy says no. */
  readonly refused?: { readonly input: Input; readonly output: unknown };
}

/** One example for each use case; a use case without one does not compile. */
export type Examples = { readonly [Name in UseCaseName]: Example<z.input<(typeof table)[Name]['input']>> };
