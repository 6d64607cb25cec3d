/**
 * Pays hops that answered 402 through a node, and reports what became of it. What did not come through is remembered, so that the
 * same purchase again replaces it; two purchases at once are two.
 */
import { parseAuthChallenges } from '../../protocol/mpp/authChallenges.ts';
import type { Operations } from '../operations.ts';
import type { Client } from '../rest.ts';
import { digestOf, type RequestHop, sendHop } from './requestHop.ts';

type Authorization = Operations['authorizeHttpPayment'];
export type HttpPaymentGrant = Extract<Authorization['output'], { readonly allowed: true }>;
export type HttpPaymentRefusal = Extract<Authorization['output'], { readonly allowed: false }>;
type Report = Operations['settleHttpPayment']['input'];
export type Offers = Pick<Authorization['input'], 'challenges' | 'paymentRequired'>;

export interface PayFetchOptions {
  /** Who buys. */
  readonly agentDid: string;
  /** Whose money it is; the agent's own when absent. */
  readonly principalDid?: string;
  readonly delegationId?: string;
  /** An instrument of the agent or its principal, by its id. */
  readonly instrument?: string;
  /** The fetch that sends; the global one when absent. */
  readonly fetch?: typeof fetch;
  /** Told of each refusal; the caller gets the server's 402 with its body. With `approval` a person is asked: the same request again is paid once they have approved. */
  readonly onRefusal?: (refusal: HttpPaymentRefusal) => void;
}

export type PayingNode = Pick<Client, 'authorizeHttpPayment' | 'settleHttpPayment'>;

/** Of so many purchases it is remembered how they ended. */
const MOST_REMEMBERED = 1000;

/** What is left of a purchase that did not come through: the payment to be replaced, or the approval that was asked for. */
interface OpenPurchase {
  readonly replaces?: string;
  readonly approvalId?: string;
}

export interface Payer {
  readonly node: PayingNode;
  readonly options: PayFetchOptions;
  readonly send: typeof fetch;
  /** By what is bought. */
  readonly purchases: Map<string, OpenPurchase>;
}

export function makePayer(node: PayingNode, options: PayFetchOptions): Payer {
  return { node, options, send: options.fetch ?? fetch, purchases: new Map() };
}

/** What is bought: where it was asked for, and what tells it from other purchases. */
interface PaidRequest {
  readonly key: string;
  readonly asked: Pick<Authorization['input'], 'bodyDigest' | 'method' | 'url'>;
}

export async function purchaseOf({ method, url, body }: RequestHop): Promise<PaidRequest> {
  const bodyDigest = body === undefined ? undefined : await digestOf(body);
  const asked = given({ method, url, bodyDigest }) as PaidRequest['asked'];
  return { key: `${method} ${url} ${bodyDigest ?? ''}`, asked };
}

/** Asks the node to pay what a server asked for. @throws CountersignError where the node does not answer */
export async function authorize(
  { node, options, purchases }: Payer,
  { key, asked }: PaidRequest,
  offers: Offers,
): Promise<Authorization['output']> {
  // Taken, so that another call at the same time does not replace what this one is about to send.
  const open = purchases.get(key) ?? {};
  purchases.delete(key);
  try {
    const { agentDid, principalDid, delegationId, instrument } = options;
    const answer = await node.authorizeHttpPayment({
      ...given({ principalDid, delegationId, instrument }),
      agentDid,
      ...asked,
      ...offers,
      ...open,
    });
    if (!answer.allowed) {
      const { approval } = answer;
      remember(purchases, key, approval === undefined ? open : { ...open, approvalId: approval.id });
      options.onRefusal?.(answer);
    }
    return answer;
  } catch (error) {
    remember(purchases, key, open);
    throw error;
  }
}

/** Sends what pays, and reports what the answer to it says, at any status: a server may fail after it was paid. */
export async function sendPaid(
  { node, send, purchases }: Payer,
  hop: RequestHop,
  grant: HttpPaymentGrant,
): Promise<Response> {
  const { mandateId } = grant;
  const header = grant.send.header;
  if (header === undefined) throw new TypeError('The node gave no header to pay with.');
  const { key } = await purchaseOf(hop);
  const headers = new Headers(hop.headers);
  headers.set(header.name, header.value);
  let response: Response;
  try {
    response = await sendHop(send, { ...hop, headers });
  } catch (error) {
    // The money may have moved: what became of it is found at the rail, and the next try replaces this one.
    remember(purchases, key, { replaces: mandateId });
    await node.settleHttpPayment({ mandateId }).catch(() => undefined);
    throw error;
  }
  const report = await reportOf(mandateId, response);
  await node.settleHttpPayment(report).catch(() => undefined);
  // Also where the money was taken: then the node refuses the second try, and names the first.
  if (response.status >= 400) remember(purchases, key, { replaces: mandateId });
  return response;
}

/** @returns undefined where nothing is asked for that a node could pay; the refusal of what could not be sent */
export function offersIn(
  { headers }: Pick<Response, 'headers'>,
  hop: RequestHop,
): Offers | HttpPaymentRefusal | undefined {
  const line = headers.get('www-authenticate') ?? '';
  const payments = parseAuthChallenges(line).filter(({ scheme }) => scheme.toLowerCase() === 'payment');
  const paymentRequired = headers.get('payment-required') ?? undefined;
  // An API that takes a key by Authorization takes no second value there: nothing is made that could not be sent.
  const isTaken = hop.headers.has('authorization') && payments.some(({ parameters }) => !parameters.has('header'));
  if (payments.length > 0 && !isTaken) return { challenges: [line], ...given({ paymentRequired }) } as Offers;
  if (paymentRequired !== undefined) return { paymentRequired };
  return payments.length === 0 ? undefined : oneAuthorization();
}

/** Without those that are undefined, which the types of the node's inputs do not take. */
function given<T extends object>(members: T): { [Name in keyof T]: Exclude<T[Name], undefined> } {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as never;
}

/** The newest stays the longest. */
export function remember<Value>(known: Map<string, Value>, key: string, value: Value): void {
  known.delete(key);
  known.set(key, value);
  const [oldest] = known.keys();
  if (known.size > MOST_REMEMBERED && oldest !== undefined) known.delete(oldest);
}

async function reportOf(mandateId: string, response: Response): Promise<Report> {
  const { headers, status } = response;
  const isProblem = status >= 400 && (headers.get('content-type') ?? '').startsWith('application/problem+json');
  const problem = isProblem
    ? await response
        .clone()
        .json()
        .catch(() => undefined)
    : undefined;
  return {
    mandateId,
    status,
    ...given({
      receipt: headers.get('payment-receipt') ?? undefined,
      paymentResponse: headers.get('payment-response') ?? undefined,
      paymentRequired: status === 402 ? (headers.get('payment-required') ?? undefined) : undefined,
      problem: typeof problem === 'object' && problem !== null ? (problem as Record<string, unknown>) : undefined,
    }),
  };
}

function oneAuthorization(): HttpPaymentRefusal {
  const message = 'This API takes one Authorization, and the request has one: it cannot be paid by another.';
  return { allowed: false, reasonCodes: ['RAIL_UNAVAILABLE'], details: { RAIL_UNAVAILABLE: { message } } };
}
