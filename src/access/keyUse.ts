/** When each API key was last used, noted in memory so that no request has to write for it. */
export interface KeyUse {
  /** @param now milliseconds since the epoch */
  note(keyId: string, now: number): void;
  lastUsedAt(keyId: string): number | undefined;
  /** What was noted and is not yet written. */
  pending(): ReadonlyMap<string, number>;
  /** Forgets what has been written; a use noted in the meantime stays. */
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
