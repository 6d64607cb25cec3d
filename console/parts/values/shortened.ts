/** Ids that say nothing at their beginning, and tell two apart by their end: DIDs, and addresses on chains. */

export function shortened(id: string): string {
  return id.length <= 22 ? id : `${id.slice(0, 12)}…${id.slice(-6)}`;
}
