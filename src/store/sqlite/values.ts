/** Values as SQLite takes them. */
import type { Value } from '../store.ts';

/** Numbers beyond 32 bits as bigint, since they would be bound as floating point, which SQL divides and prints differently. */
export function bindable(args: readonly Value[]): readonly (Value | bigint)[] {
  let bound: (Value | bigint)[] | undefined;
  for (let i = 0; i < args.length; i++) {
    const arg = args[i];
    if (typeof arg !== 'number' || (arg | 0) === arg) continue;
    bound ??= [...args];
    bound[i] = BigInt(arg);
  }
  return bound ?? args;
}
