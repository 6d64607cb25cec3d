/** When a witness says that it cosigned, and whether that can be: clocks may be wrong by minutes, not by more. */
import { statedTime } from '../../../../protocol/evidence/log/cosignature.ts';
import type { CheckpointRow } from '../../../store/statements/evidence/checkpoints.ts';

const TOLERANCE_MS = 300_000;
const MINUTE_MS = 60_000;
/** Clocks of nodes differ by far less; a time in milliseconds that is taken for seconds is ahead by far more. */
const FAR_AHEAD_MS = 86_400_000;

/**
 * What is wrong with the time of a cosignature that a witness has just answered.
 * @param seconds since the epoch, as it is signed
 * @param now of this node, in milliseconds since the epoch
 * @returns a phrase about the witness; undefined for a time that can be right
 */
export function timeFault(seconds: number, { created_at: madeAt }: CheckpointRow, now: number): string | undefined {
  const at = seconds * 1000;
  // This node's clock may have been ahead when it made the checkpoint.
  const earliest = Math.min(madeAt, now);
  const dated = `its cosignature is dated ${new Date(at).toISOString()}`;
  const minutes = (ms: number) => `${Math.round(ms / MINUTE_MS)} minutes`;
  if (at > now + TOLERANCE_MS) {
    return `${dated}, ${minutes(at - now)} ahead of the clock of this node: one of the two clocks is wrong`;
  }
  if (at < earliest - TOLERANCE_MS) {
    return `${dated}, ${minutes(earliest - at)} before the checkpoint was made: one of the two clocks is wrong`;
  }
  return undefined;
}

/**
 * Whether a line that was stored may stay, or is to be replaced: its time was judged when it came, but not always.
 * @param now milliseconds since the epoch
 */
export function isTimely(line: string, now: number): boolean {
  const seconds = statedTime(line);
  return seconds !== undefined && seconds * 1000 <= now + FAR_AHEAD_MS;
}
