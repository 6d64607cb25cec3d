/** Speaks to the node as an agent whose key is in this page: each message and request is signed here. */
import type { Mandate } from '../../client/a2a.ts';
import type { Operations } from '../../client/operations.ts';
import { randomId } from '../../client/randomId.ts';
import { type Client, countersign } from '../../client/rest.ts';
import type { MandateType } from '../../protocol/wire/mandateType.ts';
import { interpretSchemas } from '../proofs/interpretSchemas.ts';
import { BASE_URL, NODE_DID } from './here.ts';

/** What went over the wire, as JSON. */
interface Exchange {
  readonly sent: unknown;
  readonly answered: unknown;
}

interface Answers {
  readonly IntentMandate: Operations['issueIntent']['output'];
  readonly CartMandate: Operations['validateCart']['output'];
  readonly PaymentMandate: Operations['mandatePayment']['output'];
}

export interface AsAgent {
  readonly did: string;
  /** Sends a signed message, and takes only an answer that the node signed. */
  say<Type extends MandateType>(mandate: Mandate<Type>): Promise<Exchange & { readonly answer: Answers[Type] }>;
  /** The API as the agent may use it. */
  readonly rest: Client;
}

/** @param seed the 32 bytes that the agent signs with */
export async function speakAs(seed: Uint8Array): Promise<AsAgent> {
  await interpretSchemas();
  const [{ connect }, { agentOf }] = await Promise.all([
    import('../../client/a2a.ts'),
    import('../../client/identity.ts'),
  ]);
  const agent = agentOf(seed);
  const exchanges = new Map<string, Exchange>();
  const { send } = await connect(BASE_URL, agent, { nodeDid: NODE_DID, fetch: noting(exchanges) });
  return {
    did: agent.did,
    async say<Type extends MandateType>(mandate: Mandate<Type>) {
      // Stories may be played at the same time; each finds its own exchange by the id of its message.
      const id = randomId();
      const answer = (await send({ ...mandate, id })) as Answers[Type];
      const { sent, answered } = exchanges.get(id) ?? { sent: mandate, answered: answer };
      exchanges.delete(id);
      return { answer, sent, answered };
    },
    rest: countersign({ baseUrl: BASE_URL, credential: { agent } }),
  };
}

/** Keeps what is sent in messages, and what is answered to them. */
function noting(exchanges: Map<string, Exchange>): typeof fetch {
  return async (url, init = {}) => {
    const response = await fetch(url, init);
    if (typeof init.body === 'string') {
      const sent = JSON.parse(init.body) as { readonly params: { readonly message: { readonly id: string } } };
      const text = await response.clone().text();
      exchanges.set(sent.params.message.id, { sent, answered: asJson(text) });
    }
    return response;
  };
}

function asJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
