/** When each API key was last used, recorded in memory so that no request has to write it. */
export interface KeyUse {
  /** @param now milliseconds since the epoch */
  note(keyId: string, now: number): void;
  lastUsedAt(keyId: string): number | undefined;
  /** Uses that are not written yet. */
  pending(): ReadonlyMap<string, number>;
  /** Removes uses that have been written; a later use of the same key stays. */
  written(uses: ReadonlyMap<string, number>): void;
}

export function keyUse(): KeyUse {
  const uses = new Map<string, number>();
  return {
    note: (keyId, now) => void uses.set(keyId, now),
    lastUsedAt: (keyId) => uses.get(keyId),
    pending: () => new Map(uses),
    written(written) {
      for (const [keyId, at] of written) if (uses.get(keyId) === at) uses.delete(keyId);
    },
  };
}
