/**
 * A fetch that pays what servers ask for (402) through a node: every payment is judged by the policy, under one budget, whichever
 * protocol the server speaks. What the server offers is sent to the node as it came, and what became of it is reported.
 */

import {
  authorize,
  makePayer,
  offersIn,
  type Payer,
  type PayFetchOptions,
  type PayingNode,
  purchaseOf,
  sendPaid,
} from './payer.ts';
import { follow, hopOf, type RequestHop, sendHop } from './requestHop.ts';

/** Servers that ask again and again are paid so often at most in one call, each time in place of the time before. */
const MOST_CREDENTIALS = 3;

/**
 * @returns a fetch. Bodies are read whole before they are sent, so that what is paid for is what is sent again; neither the given init
 * nor a Request is written to
 * @throws (by the fetch it gives) what fetch throws, and CountersignError where the node does not answer
 */
export function payFetch(node: PayingNode, options: PayFetchOptions): typeof fetch {
  const payer = makePayer(node, options);
  return async (input, init) => {
    const first = await hopOf(input, init);
    const { hop, response } = await follow(payer.send, first, await sendHop(payer.send, first));
    return response.status === 402 ? pay(payer, hop, response) : response;
  };
}

/** Pays the hop that said 402, by its own address and method, and never the first one. */
async function pay(payer: Payer, hop: RequestHop, asked: Response): Promise<Response> {
  let response = asked;
  for (let times = 0; times < MOST_CREDENTIALS; times++) {
    const offers = offersIn(response, hop);
    // The answer is the caller's, with its body.
    if (offers === undefined) return response;
    if ('allowed' in offers) {
      payer.options.onRefusal?.(offers);
      return response;
    }
    const answer = await authorize(payer, await purchaseOf(hop), offers);
    if (!answer.allowed) return response;
    // Where a fetch has kept a copy of its own, that ends only with the copy.
    response.body?.cancel().catch(() => {});
    const paid = await sendPaid(payer, hop, answer);
    if (paid.status !== 402) return (await follow(payer.send, hop, paid)).response;
    response = paid;
  }
  return response;
}
