/**
 * Plugs a node into the stock client of MPP (npm: mppx), which then pays only what the node lets it pay:
 * `Mppx.create({ ...mppPay(node, { agentDid, method: Methods.charge }), polyfill: false, maxPaymentRetries: 3 })`.
 */
import { parseAuthChallenges } from '../../protocol/mpp/authChallenges.ts';
import { credentialOf } from '../../protocol/mpp/chargeCredential.ts';
import type { JsonObject } from '../../protocol/sdjwt/sdJwt.ts';
import {
  authorize,
  type HttpPaymentGrant,
  type HttpPaymentRefusal,
  makePayer,
  type Offers,
  offersIn,
  type Payer,
  type PayFetchOptions,
  type PayingNode,
  purchaseOf,
  remember,
  sendPaid,
} from './payer.ts';
import { follow, hopOf, type RequestHop, sendHop } from './requestHop.ts';

export interface MppPayOptions<Method extends object> extends PayFetchOptions {
  /** `Methods.charge` of `mppx/stripe`. */
  readonly method: Method;
  /** Of an MCP server whose tools are paid: it says who the merchant is. */
  readonly url?: string;
}

interface ToolChallenge {
  readonly id: string;
  readonly request: object;
}

export interface MppPayment<Method extends object> {
  readonly fetch: typeof fetch;
  readonly methods: readonly [
    Method & {
      readonly canHandleChallenge: undefined;
      readonly context: undefined;
      readonly createCredential: (asked: { readonly challenge: ToolChallenge }) => Promise<string>;
    },
  ];
}

interface Exchanges {
  /** Who asked, and for what: by the challenge's id. */
  readonly asked: Map<string, { readonly hop: RequestHop; readonly offers: Offers | HttpPaymentRefusal }>;
  /** What is paid by a header's value. */
  readonly granted: Map<string, { readonly hop: RequestHop; readonly grant: HttpPaymentGrant }>;
}

/**
 * The package makes a credential without knowing the address, so that its fetch notes who asked. What pays is sent to the hop that
 * asked, by its method and with its body, and what became of it is reported; a second challenge of a fetch replaces the first.
 * @throws (by createCredential) an Error with the refusal as its cause, and CountersignError where the node does not answer
 */
export function mppPay<Method extends object>(node: PayingNode, options: MppPayOptions<Method>): MppPayment<Method> {
  const payer = makePayer(node, options);
  const exchanges: Exchanges = { asked: new Map(), granted: new Map() };
  const createCredential = ({ challenge }: { readonly challenge: ToolChallenge }) => {
    const asked = exchanges.asked.get(challenge.id);
    if (asked === undefined) return payTool(payer, options.url, challenge);
    return payHop(payer, exchanges.granted, asked.hop, asked.offers);
  };
  return {
    fetch: (input, init) => send(payer, exchanges, input, init),
    methods: [{ ...options.method, canHandleChallenge: undefined, context: undefined, createCredential }],
  };
}

async function send(
  payer: Payer,
  { asked, granted }: Exchanges,
  input: string | URL | Request,
  init: RequestInit | undefined,
): Promise<Response> {
  const given = await hopOf(input, init);
  const value = [...given.headers.values()].find((each) => granted.has(each)) ?? '';
  const paid = granted.get(value);
  const first = paid?.hop ?? given;
  const answer = paid === undefined ? await sendHop(payer.send, first) : await sendPaid(payer, first, paid.grant);
  const { hop, response } = await follow(payer.send, first, answer);
  const offers = response.status === 402 ? offersIn(response, hop) : undefined;
  if (offers === undefined) return response;
  for (const id of challengeIdsIn(response)) remember(asked, id, { hop, offers });
  return response;
}

function challengeIdsIn({ headers }: Response): string[] {
  const challenges = parseAuthChallenges(headers.get('www-authenticate') ?? '');
  return challenges.flatMap(({ parameters }) => parameters.get('id') ?? []);
}

async function payHop(
  payer: Payer,
  granted: Exchanges['granted'],
  hop: RequestHop,
  offers: Offers | HttpPaymentRefusal,
): Promise<string> {
  if ('allowed' in offers) {
    payer.options.onRefusal?.(offers);
    throw refusalError(offers);
  }
  const grant = await authorize(payer, await purchaseOf(hop), offers);
  if (!grant.allowed) throw refusalError(grant);
  const value = grant.send.header?.value;
  if (value === undefined) throw new TypeError('The node gave no header to pay with.');
  remember(granted, value, { hop, grant });
  return value;
}

/** A tool of an MCP server asked: the challenge is an object, and no answer is seen here. */
async function payTool(payer: Payer, url: string | undefined, challenge: ToolChallenge): Promise<string> {
  const asked = url === undefined ? {} : { url };
  const key = `tool ${url ?? ''} ${JSON.stringify(challenge.request)}`;
  const grant = await authorize(payer, { key, asked }, { challenges: [{ ...challenge }] });
  if (!grant.allowed) throw refusalError(grant);
  return credentialOf(
    { received: { ...challenge }, headerName: 'Authorization' },
    grant.credential?.['payload'] as JsonObject,
  ).header.value;
}

function refusalError(refusal: HttpPaymentRefusal): Error {
  const { reasonCodes, details } = refusal;
  const said = reasonCodes.map((code) => details?.[code]?.message ?? code);
  return new Error(`The node refused to pay (${reasonCodes.join(', ')}): ${said.join(' ')}`, { cause: refusal });
}
