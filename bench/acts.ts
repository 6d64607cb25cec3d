/** What a client does over A2A: asks for an intent, or buys; and so many of them at once. */
import type { JsonObject, Peer } from '../test/support/peer.ts';
import { buyerOf, makeCarts, openBuyer } from './buyer.ts';
import type { Client } from './client.ts';
import { type BenchNode, intentBody, signedCall } from './node.ts';

export type Kind = 'intent' | 'purchase';
/** One request, or one after the other where a purchase needs several. */
export type Act = (client: Client, number: number) => Promise<void>;

/** @param carts how many purchases there will be at most */
export function acts(node: BenchNode, carts: number): ReadonlyMap<Kind, Act> {
  const buy = buyerOf(node, 'A2A');
  const made: JsonObject[] = makeCarts(node, carts);
  const agentOf = (number: number) => node.agents[(number * 37) % node.agents.length] as Peer;
  return new Map<Kind, Act>([
    [
      'intent',
      async (client, number) => {
        const agent = agentOf(number);
        const { status, text } = await client.post(
          '/a2a/gateway',
          signedCall(node, agent, 'IntentMandate', intentBody(node, agent)),
        );
        if (status !== 200 || JSON.parse(text).result?.message.body.allowed !== true) throw new Error(text);
      },
    ],
    ['purchase', async (client, number) => void (await buy(client, agentOf(number), made.pop() as JsonObject))],
  ]);
}

/** So many at once, all in all so many. */
export async function perform(node: BenchNode, act: Act, clients: number, count: number): Promise<void> {
  let begun = 0;
  await Promise.all(
    Array.from({ length: clients }, async () => {
      const client = await openBuyer(node, 'A2A');
      while (begun < count) await act(client, begun++);
      client.close();
    }),
  );
}
