/** Figures of a verification, in words. */

export function count(events: number): string {
  return events.toLocaleString('en-US');
}

/** @param ms milliseconds */
export function duration(ms: number): string {
  return ms < 1000 ? `${Math.max(1, Math.round(ms))} ms` : `${(ms / 1000).toFixed(1)} s`;
}

/** @returns nothing where it was over too soon to say */
export function rate({ events, ms }: { readonly events: number; readonly ms: number }): string {
  if (ms < 1000) return '';
  const perSecond = events / Math.max(ms / 1000, 0.001);
  // More digits than two say nothing of it.
  const digits = Math.max(0, Math.floor(Math.log10(Math.max(perSecond, 1))) - 1);
  const rounded = Math.round(perSecond / 10 ** digits) * 10 ** digits;
  return `, ${count(rounded)} events a second`;
}
