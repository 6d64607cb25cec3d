/**
 * A fetch that pays what servers ask for (402) through a node: every payment is judged by the policy, under one budget, whichever
 * protocol the server speaks. What the server offers is sent to the node as it came, and what became of it is reported.
 */
import { parseAuthChallenges } from '../../protocol/mpp/authChallenges.ts';
import type { Operations } from '../operations.ts';
import type { Client } from '../rest.ts';

type Grant = Extract<Operations['authorizeHttpPayment']['output'], { readonly allowed: true }>;
export type HttpPaymentRefusal = Extract<Operations['authorizeHttpPayment']['output'], { readonly allowed: false }>;
type Report = Operations['settleHttpPayment']['input'];

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

type PayingNode = Pick<Client, 'authorizeHttpPayment' | 'settleHttpPayment'>;

/** Servers that ask again and again are paid so often at most in one call, each time in place of the time before. */
const MOST_CREDENTIALS = 3;
const MOST_HOPS = 20;
/** Of so many purchases it is remembered how they ended. */
const MOST_REMEMBERED = 1000;

/** What is left of a purchase that did not come through: the payment to be replaced, or the approval that was asked for. */
interface OpenPurchase {
  readonly replaces?: string;
  readonly approvalId?: string;
}

/** One request of a chain of redirects, which can be sent again. */
interface Hop {
  readonly url: string;
  readonly method: string;
  readonly headers: Headers;
  readonly body: ArrayBuffer | undefined;
  readonly init: RequestInit;
}

/**
 * @returns a fetch. Bodies are read whole before they are sent, so that what is paid for is what is sent again; neither the given init
 * nor a Request is written to
 * @throws (by the fetch it gives) what fetch throws, and CountersignError where the node does not answer
 */
export function payFetch(node: PayingNode, options: PayFetchOptions): typeof fetch {
  const purchases = new Map<string, OpenPurchase>();
  const send = options.fetch ?? fetch;
  return async (input, init) => {
    const first = await hopOf(input, init);
    const { hop, response } = await follow(send, first, await sendHop(send, first));
    return response.status === 402 ? pay({ node, options, send, purchases }, hop, response) : response;
  };
}

interface Payer {
  readonly node: PayingNode;
  readonly options: PayFetchOptions;
  readonly send: typeof fetch;
  readonly purchases: Map<string, OpenPurchase>;
}

/** Pays the hop that said 402, by its own address and method, and never the first one. */
async function pay(payer: Payer, hop: Hop, asked: Response): Promise<Response> {
  const { node, options, purchases } = payer;
  const bodyDigest = hop.body === undefined ? undefined : await digestOf(hop.body);
  const key = `${hop.method} ${hop.url} ${bodyDigest ?? ''}`;
  let response = asked;
  for (let times = 0; times < MOST_CREDENTIALS; times++) {
    const offers = offersIn(response, hop);
    if (offers === undefined) return response;
    if ('allowed' in offers) return refused(payer, key, offers, response);
    const { agentDid, principalDid, delegationId, instrument } = options;
    const answer = await node.authorizeHttpPayment({
      ...given({ agentDid, principalDid, delegationId, instrument, bodyDigest }),
      agentDid,
      url: hop.url,
      method: hop.method,
      ...offers,
      ...purchases.get(key),
    });
    if (!answer.allowed) return refused(payer, key, answer, response);
    await response.body?.cancel();
    const paid = await sendPaid(payer, hop, key, answer);
    if (paid.status !== 402) return (await follow(payer.send, hop, paid)).response;
    response = paid;
  }
  return response;
}

/** Without those that are undefined, which the types of the node's inputs do not take. */
function given<T extends object>(members: T): { [Name in keyof T]: Exclude<T[Name], undefined> } {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as never;
}

function refused(
  { options, purchases }: Payer,
  key: string,
  refusal: HttpPaymentRefusal,
  response: Response,
): Response {
  if (refusal.approval !== undefined)
    remember(purchases, key, { ...purchases.get(key), approvalId: refusal.approval.id });
  options.onRefusal?.(refusal);
  return response;
}

/** Sends what pays, and reports what the answer to it says, at any status: a server may fail after it was paid. */
async function sendPaid({ node, send, purchases }: Payer, hop: Hop, key: string, grant: Grant): Promise<Response> {
  const { mandateId } = grant;
  const header = grant.send.header;
  if (header === undefined) throw new TypeError('The node gave no header to pay with.');
  remember(purchases, key, { replaces: mandateId });
  const headers = new Headers(hop.headers);
  headers.set(header.name, header.value);
  let response: Response;
  try {
    response = await sendHop(send, { ...hop, headers });
  } catch (error) {
    // The money may have moved: what became of it is found at the rail, and the next try replaces this one.
    await node.settleHttpPayment({ mandateId }).catch(() => undefined);
    throw error;
  }
  const report = await reportOf(mandateId, response);
  const told = await node.settleHttpPayment(report).catch(() => undefined);
  if (told?.status === 'CAPTURED' || response.status < 400) purchases.delete(key);
  return response;
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

type Offers = Pick<Operations['authorizeHttpPayment']['input'], 'challenges' | 'paymentRequired'>;

/** @returns undefined where nothing is asked for that a node could pay: the answer is the caller's, with its body */
function offersIn({ headers }: Response, hop: Hop): Offers | HttpPaymentRefusal | undefined {
  const line = headers.get('www-authenticate') ?? '';
  const payments = parseAuthChallenges(line).filter(({ scheme }) => scheme.toLowerCase() === 'payment');
  const paymentRequired = headers.get('payment-required') ?? undefined;
  // An API that takes a key by Authorization takes no second value there: nothing is made that could not be sent.
  const isTaken = hop.headers.has('authorization') && payments.some(({ parameters }) => !parameters.has('header'));
  if (payments.length > 0 && !isTaken) return { challenges: [line], ...given({ paymentRequired }) } as Offers;
  if (paymentRequired !== undefined) return { paymentRequired };
  return payments.length === 0 ? undefined : oneAuthorization();
}

function oneAuthorization(): HttpPaymentRefusal {
  const message = 'This API takes one Authorization, and the request has one: it cannot be paid by another.';
  return { allowed: false, reasonCodes: ['RAIL_UNAVAILABLE'], details: { RAIL_UNAVAILABLE: { message } } };
}

function remember(purchases: Map<string, OpenPurchase>, key: string, open: OpenPurchase): void {
  purchases.delete(key);
  purchases.set(key, open);
  const [oldest] = purchases.keys();
  if (purchases.size > MOST_REMEMBERED && oldest !== undefined) purchases.delete(oldest);
}

/** A copy: the caller's init is often shared by several requests, and a Request is read once. */
async function hopOf(input: string | URL | Request, init: RequestInit = {}): Promise<Hop> {
  const request = new Request(input instanceof Request ? input.clone() : input, { ...init });
  const hasBody = request.method !== 'GET' && request.method !== 'HEAD' && request.body !== null;
  const body = hasBody ? await request.arrayBuffer() : undefined;
  const { signal, redirect, credentials, mode, cache } = request;
  const passed = Object.entries(init).filter(([name]) => !['method', 'headers', 'body', 'duplex'].includes(name));
  return {
    url: request.url,
    method: request.method,
    headers: new Headers(request.headers),
    body,
    init: { signal, redirect, credentials, mode, cache, ...Object.fromEntries(passed) },
  };
}

function sendHop(send: typeof fetch, { url, method, headers, body, init }: Hop): Promise<Response> {
  return send(url, { ...init, method, headers, redirect: 'manual', ...(body === undefined ? {} : { body }) });
}

/** Follows redirects as fetch does, hop by hop, so that it is known which request was answered: by which method, with which body. */
async function follow(
  send: typeof fetch,
  from: Hop,
  answered: Response,
): Promise<{ readonly hop: Hop; readonly response: Response }> {
  let [hop, response] = [from, answered];
  if (from.init.redirect === 'manual') return { hop, response };
  for (let hops = 0; isRedirect(response); hops++) {
    if (from.init.redirect === 'error' || hops >= MOST_HOPS)
      throw new TypeError('fetch failed: too many redirects, or none allowed');
    hop = nextHop(hop, response);
    await response.body?.cancel();
    response = await sendHop(send, hop);
  }
  return { hop, response };
}

function isRedirect({ status, headers }: Response): boolean {
  return [301, 302, 303, 307, 308].includes(status) && headers.has('location');
}

/** WHATWG Fetch, "HTTP-redirect fetch": a POST becomes a GET by 301 and 302, anything but GET and HEAD by 303; other origins get no credentials. */
function nextHop({ url, method, headers: sent, body, init }: Hop, { status, headers }: Response): Hop {
  const next = new URL(headers.get('location') ?? '', url);
  if (next.protocol !== 'http:' && next.protocol !== 'https:')
    throw new TypeError('fetch failed: a redirect to no address of HTTP');
  const becomesGet = status === 303 ? method !== 'GET' && method !== 'HEAD' : status < 303 && method === 'POST';
  const kept = new Headers(sent);
  const isOther = next.origin !== new URL(url).origin;
  for (const name of [...(isOther ? OF_ORIGIN : []), ...(becomesGet ? OF_BODY : [])]) kept.delete(name);
  return {
    url: next.href,
    method: becomesGet ? 'GET' : method,
    headers: kept,
    body: becomesGet ? undefined : body,
    init,
  };
}

const OF_ORIGIN = ['authorization', 'proxy-authorization', 'cookie', 'host'];
const OF_BODY = ['content-encoding', 'content-language', 'content-location', 'content-type', 'content-length'];

/** RFC 9530: `sha-256=:…:`. */
async function digestOf(body: ArrayBuffer): Promise<string> {
  const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', body));
  return `sha-256=:${btoa(String.fromCharCode(...hash))}:`;
}
