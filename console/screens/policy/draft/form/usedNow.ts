/** Asks the node what is used of the limits that are in force. */
import type { Policy, Rules } from '../../../../../client/operations.ts';
import { node } from '../../../../node/node.ts';
import type { UsedNow } from './limitNow.ts';

/** So many agents are looked through for the one that has used most. */
const MOST_AGENTS = 50;

export async function loadUsed(current: Policy | undefined, signal: AbortSignal): Promise<UsedNow> {
  const [all, agents] = await Promise.all([
    node.showLimits({}, { signal }),
    node.listLimits({ limit: MOST_AGENTS }, { signal }),
  ]);
  return { rules: current?.rules as Rules | undefined, shared: all.limits, agents: agents.data };
}
