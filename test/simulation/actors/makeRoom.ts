/** The owner gives an agent a limit of its own that it hardly reaches: who has reached a limit can try nothing else. */
import type { Peer } from '../../support/peer.ts';
import { Desk, OWNER } from './desk.ts';

export async function makeRoom({ desk, agent: { did } }: { readonly desk: Desk; readonly agent: Peer }): Promise<void> {
  const owner = new Desk(desk.world, desk.owner, OWNER);
  const path = `/ap2/admin/agents/${encodeURIComponent(did)}/velocity`;
  const input = { maxTransactions: 200, maxAmount: 9000, timeWindow: '1m' };
  await owner.rest({ call: 'setAgentVelocity', route: ['PUT', path], input, named: { did } });
}
