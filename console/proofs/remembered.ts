/** Checkpoints that this browser has seen hold: a chain that is rewritten later contradicts them. */

export interface SeenCheckpoint {
  /** The signed note. */
  readonly note: string;
  /** How many events it is over. */
  readonly size: number;
  /** When it was seen, as ISO 8601. */
  readonly seenAt: string;
  /** Who had signed it. */
  readonly issuer: string;
}

/** The first ones, and the newest: a chain is rewritten from somewhere on. */
const MOST = 12;

/** @param home the node's public address, which many may have on one host */
function keyOf(home: string): string {
  return `countersign.checkpoints ${home}`;
}

/** Oldest first; none where this browser keeps nothing. */
export function remembered(home: string): readonly SeenCheckpoint[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(keyOf(home)) ?? '[]');
    return Array.isArray(kept) ? kept.filter(isRemembered) : [];
  } catch {
    return [];
  }
}

function isRemembered(value: unknown): value is SeenCheckpoint {
  const { note, size, seenAt, issuer } = (value ?? {}) as Record<keyof SeenCheckpoint, unknown>;
  return [note, seenAt, issuer].every((each) => typeof each === 'string') && typeof size === 'number';
}

export function remember(home: string, seen: SeenCheckpoint): void {
  const before = remembered(home).filter(({ size }) => size !== seen.size);
  const all = [...before, seen];
  const kept = all.length <= MOST ? all : [...all.slice(0, 2), ...all.slice(2 - MOST)];
  try {
    localStorage.setItem(keyOf(home), JSON.stringify(kept));
  } catch {
    // A browser that keeps nothing remembers nothing.
  }
}

export function forget(home: string): void {
  try {
    localStorage.removeItem(keyOf(home));
  } catch {
    // As above.
  }
}
