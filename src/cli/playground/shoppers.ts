/** The agents of the playground, and the owner who looks after them: with an authenticator in software in place of a phone. */
import { type Agent, type Client, countersign, makeAgent } from '../../../client/index.ts';
import { type DemoPerson, demoPerson } from '../demo/demoPerson.ts';
import { AGENTS, SHOPS, type Shop } from '../seed/catalog.ts';

export interface Shopper {
  readonly name: string;
  readonly agent: Agent;
  /** Signs its requests with the agent's key. */
  readonly node: Client;
  readonly shops: readonly Shop[];
}

export interface Playground {
  readonly shoppers: readonly Shopper[];
  /** Of the node's owner. */
  readonly owner: Client;
  readonly person: DemoPerson;
}

export const MOST_SHOPPERS = AGENTS.length;

/** So many purchases an hour, that the policy's own limit does not end the play. */
const OWN_LIMIT = { maxTransactions: 10_000, timeWindow: '1h' } as const;

/** Registers the agents, each with a key of its own, a limit of its own, and the owner's passkey. */
export async function makePlayground(owner: Client, address: string, count: number): Promise<Playground> {
  const shoppers: Shopper[] = [];
  let person: DemoPerson | undefined;
  for (const { name, description, shops } of AGENTS.slice(0, count)) {
    const agent = makeAgent();
    const { did, publicKey } = agent;
    // A seeded sandbox has agents of the same names.
    await owner.registerAgent({ name: `${name} (playground)`, description, publicKey });
    await owner.setAgentVelocity({ did, ...OWN_LIMIT });
    const { url } = await owner.createEnrollment({ agentDid: did });
    person ??= demoPerson(address, url.slice(0, url.indexOf('/enroll/')));
    await person.enroll(url);
    const node = countersign({ baseUrl: address, credential: { agent } });
    shoppers.push({ name, agent, node, shops: shops.map((shop) => SHOPS[shop]) });
  }
  if (person === undefined) throw new Error('A playground has an agent.');
  return { shoppers, owner, person };
}

/** Their keys end with this program, so that they buy nothing more. */
export async function closePlayground({ shoppers, owner }: Playground): Promise<void> {
  for (const { agent } of shoppers) await owner.revokeAgent({ did: agent.did, reason: 'The playground has ended.' });
}
