/** Judges how much room a node's disk has. */
import { type Finding, fault, ok, warning } from '../../usecase/finding.ts';

const MEBIBYTE = 2 ** 20;
/** Less than this may fill up within a busy hour. */
const WARNING_BYTES = 1024 * MEBIBYTE;
const FAULT_BYTES = 100 * MEBIBYTE;

/** @param freeBytes that this user may use */
export function judgeSpace(freeBytes: number, folder: string): Finding {
  const message = `${Math.floor(freeBytes / MEBIBYTE)} MiB are free at ${folder}.`;
  const remedy = `free space there, or move the folder to a larger disk; see: du -xh ${folder} | sort -h`;
  if (freeBytes < FAULT_BYTES) return fault('disk', message, remedy);
  if (freeBytes < WARNING_BYTES) return warning('disk', message, remedy);
  return ok('disk', message);
}
