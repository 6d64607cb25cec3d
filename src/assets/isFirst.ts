/** Whether this is the program as it was started, or what it has started beside itself (beside.ts), and for which work. */

/** Set beside the first alone; a user has no reason to set it. */
export const BESIDE = 'COUNTERSIGN_BESIDE';

/** What runs beside the first: a gate, or the making of a backup. */
export type BesideWork = 'gate' | 'backup';

/** Undefined for the first. */
export const besideWork = process.env[BESIDE] as BesideWork | undefined;
