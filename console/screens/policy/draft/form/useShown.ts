/** Which members of a part of the draft have a field: those that are set, and those that the user opened. */
import { useState } from 'preact/hooks';

interface ShownMembers {
  readonly shown: readonly string[];
  /** Members that could be added. */
  readonly others: readonly string[];
  open(name: string): void;
  close(name: string): void;
}

/**
 * A member that was set once keeps its field until the user removes it, so that no field goes while it is emptied.
 * @param all names in their order @param first a member that is open from the beginning
 */
export function useShown(
  all: readonly string[],
  isSet: (name: string) => boolean,
  first: string | undefined,
): ShownMembers {
  const [open, setOpen] = useState<ReadonlySet<string>>(() => new Set(first === undefined ? [] : [first]));
  const shown = all.filter((name) => open.has(name) || isSet(name));
  if (shown.some((name) => !open.has(name))) setOpen(new Set([...open, ...shown]));
  return {
    shown,
    others: all.filter((name) => !shown.includes(name)),
    open: (name) => setOpen(new Set([...open, name])),
    close: (name) => setOpen(new Set([...open].filter((each) => each !== name))),
  };
}
