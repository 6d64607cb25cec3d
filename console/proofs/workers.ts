/** Starts workers: the addresses of scripts that this page makes (CSP Level 3, `trusted-types console`). */
import { PIECE_WORKER } from '../node/here.ts';
import { scriptUrl } from '../node/scriptUrl.ts';

/** More than this a device has better use for. */
const MOST = 4;

/** As many as the device has cores for, beside the page itself. */
export function startPieceWorkers(): Worker[] {
  const count = Math.max(1, Math.min(MOST, (navigator.hardwareConcurrency ?? 2) - 1));
  return Array.from({ length: count }, () => new Worker(scriptUrl(PIECE_WORKER) as string, { type: 'module' }));
}
