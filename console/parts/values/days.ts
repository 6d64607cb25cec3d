/** Days as the person counts them who looks, written YYYY-MM-DD. */

const DAY_MS = 24 * 3600 * 1000;

/** The person's time zone, in which the node is asked to begin days. */
export function timezone(): string {
  return new Intl.DateTimeFormat().resolvedOptions().timeZone;
}

export function today(): string {
  // Swedish dates are written as ISO 8601 writes them.
  return new Date().toLocaleDateString('sv-SE');
}

/** The day that lies so many days before another one. */
export function dayBefore(day: string, days: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) - days * DAY_MS).toISOString().slice(0, 10);
}
