/** The agent that plays the stories: registered once for each visit, with a key that is in this page alone. */
import { signal } from '@preact/signals';
import type { Agent } from '../../../../client/operations.ts';
import { login } from '../../../../console/login/login.ts';
import { type AsAgent, speakAs } from '../../../../console/node/asAgent.ts';
import { node } from '../../../../console/node/node.ts';
import { makeAgentKey } from '../../../../console/proofs/agentKey.ts';

const NAME = 'Playground';
const DESCRIPTION = 'An agent of the console’s playground. Its key was in one browser page, and is gone with it.';
const MOST = 200;

/** Undefined until a story is played, and once it was revoked. */
export const playerDid = signal<string | undefined>(undefined);

let player: Promise<AsAgent> | undefined;

login.subscribe(({ at }) => {
  if (at === 'out') forget();
});

export function getPlayer(): Promise<AsAgent> {
  player ??= makePlayer().catch((error: unknown) => {
    player = undefined;
    throw error;
  });
  return player;
}

async function makePlayer(): Promise<AsAgent> {
  const key = await makeAgentKey();
  const made = await speakAs(key.seed);
  await node.registerAgent({ name: NAME, description: DESCRIPTION, publicKey: key.publicKey });
  playerDid.value = made.did;
  return made;
}

function forget(): void {
  player = undefined;
  playerDid.value = undefined;
}

/** The agents that earlier visits left, and that of this one. */
export async function findPlayers(signal: AbortSignal): Promise<readonly Agent[]> {
  const { data } = await node.listAgents({ status: 'ACTIVE', limit: MOST }, { signal });
  const named = data.filter(({ displayName }) => displayName === NAME);
  const found = await Promise.all(named.map(({ did }) => node.getAgent({ did }, { signal })));
  // A user may have given an agent of their own the same name.
  return found.filter(({ description }) => description === DESCRIPTION);
}

/** Requests that they sign are refused from then on. */
export async function revokePlayers(players: readonly Agent[]): Promise<void> {
  forget();
  for (const { did } of players) await node.revokeAgent({ did, reason: 'The playground is tidied up.' });
}
