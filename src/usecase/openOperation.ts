/** The shape of what is asked without a caller: the link, the sealed attempt or the passkey in its input vouches for it. */
import type { z } from 'zod';
import type { Deps } from './deps.ts';

interface OpenOperation<Schema extends z.ZodType = z.ZodType, Output = unknown> {
  /** One sentence for the documents. */
  readonly summary: string;
  readonly input: Schema;
  readonly output: z.ZodType;
  readonly permission: 'open';
  readonly run: (deps: Deps, input: z.output<Schema>) => Promise<Output>;
}

/** Declares an open operation with its types inferred. */
export function openOperation<Schema extends z.ZodType, Output>(
  definition: Omit<OpenOperation<Schema, Output>, 'permission'>,
): OpenOperation<Schema, Output> {
  return { ...definition, permission: 'open' };
}
