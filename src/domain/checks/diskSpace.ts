/** Judges how much room a node's disk has. */
import { sizeText } from '../../../protocol/wire/sizeText.ts';
import { type Finding, fault, ok, warning } from '../../usecase/finding.ts';

/** Less than this may fill up within a busy hour. */
const WARNING_BYTES = 1e9;
const FAULT_BYTES = 1e8;

/** @param freeBytes that this user may use */
export function judgeSpace(freeBytes: number, folder: string): Finding {
  const message = `${sizeText(freeBytes)} are free at ${folder}.`;
  const remedy = `free space there, or move the folder to a larger disk; see: du -xh ${folder} | sort -h`;
  if (freeBytes < FAULT_BYTES) return fault('disk', message, remedy);
  if (freeBytes < WARNING_BYTES) return warning('disk', message, remedy);
  return ok('disk', message);
}
