/** An event as a sentence, of what it says of itself. Names of strangers are in it as text. */
import type { WebhookEvent } from '../../../client/operations.ts';
import { amountText } from '../../parts/values/amount.ts';
import { wordsOf } from '../../parts/values/codeText.ts';
import { reasonText } from '../../parts/values/reasonText.ts';
import { wordsOfEvent } from './eventWords.ts';

type Data = Readonly<Record<string, unknown>>;

/** @param nameOf the name of an agent, by its DID */
export function eventSentence({ type, data, context }: WebhookEvent, nameOf: (did: string) => string): string {
  const { agentDid } = context;
  const who = agentDid === undefined ? undefined : nameOf(agentDid);
  const asks = asksPerson(type, data);
  const parts = [
    type === 'agent.created' ? textOf(data, 'displayName') : who,
    moneyOf(data),
    textOf(data, 'merchant') ?? textOf(requestOf(data), 'merchantDomain'),
    asks ? undefined : reasonOf(data),
  ].filter((part) => part !== undefined);
  const words = asks ? 'A person is asked' : wordsOfEvent(type);
  return parts.length === 0 ? words : `${words}: ${parts.join(', ')}`;
}

/** A cart that lacks a person's touch alone is rejected for the protocol, and for people it waits for them. */
function asksPerson(type: string, { reasonCodes }: Data): boolean {
  return type === 'cart.rejected' && Array.isArray(reasonCodes) && reasonCodes.join() === 'HP_REQUIRED';
}

function moneyOf(data: Data): string | undefined {
  const { amount = data['maxAmount'], currency } = data;
  if (typeof amount === 'number' && typeof currency === 'string') return amountText(amount, currency);
  const request = requestOf(data);
  return request === NOTHING ? undefined : moneyOf(request);
}

const NOTHING: Data = {};

function requestOf(data: Data): Data {
  const { request } = data;
  return typeof request === 'object' && request !== null ? (request as Data) : NOTHING;
}

function reasonOf(data: Data): string | undefined {
  const { reasonCodes, error, reason, violationType } = data;
  if (Array.isArray(reasonCodes)) return reasonCodes.map((code) => inSentence(reasonText(String(code)))).join(' and ');
  if (typeof violationType === 'string') return inSentence(wordsOf(violationType));
  if (typeof reason === 'string') return reason;
  return typeof error === 'object' && error !== null ? textOf(error as Data, 'message') : undefined;
}

function textOf(data: Data, name: string): string | undefined {
  const text = data[name];
  return typeof text === 'string' ? text : undefined;
}

/** Within a sentence. */
function inSentence(words: string): string {
  return words.charAt(0).toLowerCase() + words.slice(1);
}
