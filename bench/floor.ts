/** The floor's plan: which documents of a recorded purchase are verified, signed and stored at each step. */
import type { JsonObject } from '../test/support/peer.ts';
import type { Exchange, Gate } from './buyer.ts';

export interface FloorStep {
  /** Sent back as recorded. */
  readonly answer: string;
  readonly verified: readonly JsonObject[];
  readonly signed: readonly JsonObject[];
  /** Lookups by primary key. */
  readonly reads: number;
  /** Inserted, one statement each. */
  readonly rows: readonly string[];
}

/**
 * 16 statements in a purchase: 8 lookups (policy, agent, window, twice the intent, merchant, approval, chain) and 8
 * writes (intent, window, approval, payment, an event for each of intent, cart and mandate, the outcome). A facade needs
 * 2 signatures and 2 verifications: the intent and the mandate are signed, the intent and the cart verified. Between
 * agents each of the three messages is verified and each of the three answers signed besides.
 */
export function floorSteps(gate: Gate, exchanges: readonly Exchange[]): FloorStep[] {
  const requests = exchanges.map(({ request }) => JSON.parse(request));
  const answers = exchanges.map(({ answer }) => JSON.parse(answer));
  const message = (index: number) => (gate === 'A2A' ? [without(requests[index].params.message)] : []);
  const reply = (index: number) => (gate === 'A2A' ? [without(answers[index].result.message)] : []);
  const bodyOf = (index: number) => (gate === 'A2A' ? requests[index].params.message.body : requests[index]);
  const resultOf = (index: number) => (gate === 'A2A' ? answers[index].result.message.body : answers[index]);
  const { intentVc, cartVc } = bodyOf(1);
  const { pmVc } = resultOf(2);
  const event = 'e'.repeat(600);
  const window = 'w'.repeat(120);
  const [first, second, third] = exchanges.map(({ answer }) => answer) as [string, string, string];
  return [
    {
      answer: first,
      verified: message(0),
      signed: [without(intentVc), ...reply(0)],
      reads: 3,
      rows: [JSON.stringify(intentVc), window, event],
    },
    {
      answer: second,
      verified: [...message(1), without(intentVc), without(cartVc)],
      signed: reply(1),
      reads: 3,
      rows: [JSON.stringify(cartVc), event],
    },
    {
      answer: third,
      verified: message(2),
      signed: [without(pmVc), ...reply(2)],
      reads: 2,
      rows: [JSON.stringify(pmVc), event, event],
    },
  ];
}

/** What is signed of a document: all but its proof. */
function without({ proof: _proof, ...document }: JsonObject): JsonObject {
  return document;
}
