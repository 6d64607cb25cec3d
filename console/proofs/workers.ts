/** Starts workers: the addresses of scripts that this page makes (CSP Level 3, `trusted-types console`). */
import { PIECE_WORKER } from '../node/here.ts';
import { scriptUrl } from '../node/scriptUrl.ts';

/** More than this a device has better use for. */
const MOST = 4;

/** As many as the device has cores: the page itself has little to do meanwhile. */
export function startPieceWorkers(): Worker[] {
  const count = Math.min(MOST, navigator.hardwareConcurrency ?? 2);
  return Array.from({ length: count }, () => new Worker(scriptUrl(PIECE_WORKER) as string, { type: 'module' }));
}
