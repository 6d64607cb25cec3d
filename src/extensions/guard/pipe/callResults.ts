/** What a model is told of a call that costs money: its server's result with what became of the money beside it, or a sentence that says why nothing was sent. */
import type { CountersignError } from '../../../../client/error.ts';
import type { ReservationRefusal } from '../reservationNode.ts';
import type { McpToolResult } from '../rules/readResult.ts';
import { isAway } from './sentCalls.ts';

export function nodeText(error: CountersignError): string {
  if (isAway(error)) return `The node that decides on payments does not answer (${error.message}). Nothing was sent.`;
  return `The node does not take this purchase: ${error.message} Nothing was sent.`;
}

export function nodeRefusal(refused: ReservationRefusal): McpToolResult {
  const { reasonCodes, details = {}, approval, duplicateOf } = refused;
  const messages = reasonCodes.map((code) => details[code]?.message ?? code);
  const asks =
    approval?.url === undefined
      ? ''
      : ` A person decides at ${approval.url} : give them that address, and call the tool again with the same arguments once they have approved.`;
  return refusal(`Not paid: ${messages.join(' ')}${asks}`, reasonCodes, { approval, duplicateOf });
}

const REFUSAL_META = 'countersign/refusal';
const PAYMENT_META = 'countersign/payment';

/** As a tool says that it did not do something: a sentence for the model, and codes for programs. */
export function refusal(sentence: string, reasonCodes: readonly string[], more: object = {}): McpToolResult {
  const told = JSON.parse(JSON.stringify({ reasonCodes, ...more }));
  return { isError: true, content: [{ type: 'text', text: sentence }], _meta: { [REFUSAL_META]: told } };
}

export function marked(result: McpToolResult, payment: object): McpToolResult {
  return { ...result, _meta: { ...(result['_meta'] as object | undefined), [PAYMENT_META]: payment } };
}

export function withFault(result: McpToolResult, mandateId: string, fault: string): McpToolResult {
  return marked(withText(result, `The guard says: ${fault}`), { mandateId, status: 'attention', message: fault });
}

function withText(result: McpToolResult, text: string): McpToolResult {
  return { ...result, content: [...(result.content ?? []), { type: 'text', text }] };
}

/** Of a call that was sent, and whose answer did not come. @param why it did not: a sentence */
export function unknownEnd(why: string, mandateId: string): McpToolResult {
  const unknown = `Whether it paid is not known: ${mandateId} stays reserved. Do not call it again before you have looked.`;
  return refusal(`${why} ${unknown}`, ['UNKNOWN'], { mandateId });
}
