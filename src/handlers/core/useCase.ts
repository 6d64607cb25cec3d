/** The shape of a use case, and the two ways most of them run: in one commit, or reading one snapshot. */
import type { z } from 'zod';
import type { Signed } from '../../../protocol/credential/canonical.ts';
import type { Caller, Permission } from '../../access/caller.ts';
import type { Script } from '../../store/store.ts';
import type { Deps } from './deps.ts';
import { type Answer, bare, type Envelope } from './envelope.ts';

export type Run<Input, Output> = <Wire>(
  deps: Deps,
  caller: Caller,
  input: Input,
  envelope: Envelope<Output, Wire>,
) => Promise<Answer<Output, Wire>>;

export interface UseCase<Schema extends z.ZodType = z.ZodType, Output = unknown> {
  /** One sentence for the documents. */
  readonly summary: string;
  readonly input: Schema;
  readonly output: z.ZodType;
  /** `any` where every known caller may. */
  readonly permission: Permission | 'any';
  /** What may go wrong in it beyond what any request may meet: a credential, an input, a limit. */
  readonly faults?: readonly ('NOT_FOUND' | 'CONFLICT')[];
  /** Media types it can answer with besides JSON. */
  readonly media?: readonly string[];
  /** True where the same request may come twice and must have one effect. */
  readonly idempotent?: boolean;
  /** True where the answer carries a token, so that it is stored sealed. */
  readonly secretAnswer?: boolean;
  /** True where it exists in the sandbox only. */
  readonly sandboxOnly?: boolean;
  readonly run: Run<z.output<Schema>, Output>;
}

/** Declares a use case with its types inferred. */
export function useCase<Schema extends z.ZodType, Output>(
  definition: UseCase<Schema, Output>,
): UseCase<Schema, Output> {
  return definition;
}

export interface Moment {
  /** Milliseconds since the epoch, the same for everything in one commit. */
  readonly now: number;
  readonly contextId: string | undefined;
  /** Documents signed for the answer, put here by the use case; the gate need not write their texts again. */
  readonly signed: Signed[];
}

/** A use case that loads, decides and writes in one commit. */
export function inOneCommit<Input, Output>(
  script: (deps: Deps, caller: Caller, input: Input, moment: Moment) => Script<Output>,
): Run<Input, Output> {
  return (deps, caller, input, envelope) =>
    deps.store.write(caller.tenantId, function* () {
      const now = deps.clock();
      const stored = yield* envelope.open(now);
      if (stored !== undefined) return { wire: stored };
      const signed: Signed[] = [];
      const output = yield* script(deps, caller, input, { now, contextId: envelope.contextId, signed });
      return { wire: yield* envelope.close(output, now, signed), output };
    });
}

/** A use case that only reads. */
export function inOneRead<Input, Output>(
  script: (deps: Deps, caller: Caller, input: Input, now: number) => Script<Output>,
): Run<Input, Output> {
  return (deps, caller, input, envelope) =>
    deps.store.read(function* () {
      const now = deps.clock();
      const output = yield* script(deps, caller, input, now);
      return { wire: yield* envelope.close(output, now), output };
    });
}

/** Runs one use case from within another, without a gate, and returns what it gave. */
export async function call<Input, Output>(
  run: Run<Input, Output>,
  deps: Deps,
  caller: Caller,
  input: Input,
): Promise<Output> {
  return (await run(deps, caller, input, bare<Output>())).wire;
}
