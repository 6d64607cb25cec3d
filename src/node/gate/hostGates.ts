/** Where the gate of a node runs: in the core's thread, or in a thread beside it. */
import { DEFAULT_GATES } from '../config/defaultGates.ts';
import { type GateHost, gateInThread } from './gateHost.ts';

/** @param count of gates beside the core: 0 for one in the core's own thread, or 1 */
export function hostGates(count: number): GateHost {
  if (count === 1) return gateInThread();
  return { open: openHere, lost: new Promise(() => {}), end: async () => {} };
}

/**
 * Starts the thread of a gate before anything else of the node is loaded, so that both load at the same time.
 * @param gates what the environment says, unchecked
 * @returns undefined where the node has no gate in a thread, as far as can be seen
 */
export function gateAhead(gates: string | undefined): GateHost | undefined {
  const count = gates === undefined || gates === '' ? DEFAULT_GATES : Number(gates);
  return count === 1 ? gateInThread() : undefined;
}

/** What only gates need is loaded where one runs. */
const openHere: GateHost['open'] = async (config, tracing) => (await import('./openGate.ts')).openGate(config, tracing);
