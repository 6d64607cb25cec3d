/** Where the gates of a node run: with the core, in a thread beside it, or in several processes. */
import { openGate } from './openGate.ts';
import { type GateHost, gateInThread, gatesInProcesses } from './remoteGate.ts';

/** @param count of gates beside the core; 0 for one in the core's own thread */
export function hostGates(count: number): GateHost {
  if (count > 1) return gatesInProcesses(count);
  if (count === 1) return gateInThread();
  return { open: openGate, lost: new Promise(() => {}), end: async () => {} };
}
