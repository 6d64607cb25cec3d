/** Whether this is the program as it was started, and not what it has started beside itself (beside.ts). */

/** Set beside the first alone; a user has no reason to set it. */
export const BESIDE = 'COUNTERSIGN_BESIDE';

export const isFirst: boolean = process.env[BESIDE] === undefined;
