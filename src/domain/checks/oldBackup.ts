/** Whether a node was not backed up for long. */
const DAY_MS = 24 * 3600 * 1000;
const BACKUP_DAYS = 7;

/**
 * @param last undefined where no backup is known @param begun when the node was new
 * @returns one sentence, or undefined where nothing is wrong
 */
export function oldBackup(last: number | undefined, begun: number, now: number): string | undefined {
  if ((last ?? begun) > now - BACKUP_DAYS * DAY_MS) return undefined;
  if (last === undefined) return 'No backup of this node was ever made.';
  return `The last backup is ${Math.floor((now - last) / DAY_MS)} days old.`;
}
