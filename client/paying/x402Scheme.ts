/**
 * Plugs a node into the stock client of x402 (npm: @x402/fetch), which then pays only what the node lets it pay:
 * `const { fetch, scheme } = x402Scheme(node, { agentDid })`, then
 * `wrapFetchWithPayment(fetch, new x402Client().setSpendControls(false).register('eip155:*', scheme))`. The node is the control.
 */
import { fromBase64 } from '../../protocol/credential/encodings.ts';
import {
  authorize,
  type HttpPaymentGrant,
  makePayer,
  type Payer,
  type PayFetchOptions,
  type PayingNode,
  purchaseOf,
  refusalError,
  remember,
  sendPaid,
} from './payer.ts';
import { follow, hopOf, type RequestHop, sendHop } from './requestHop.ts';

type Members = Readonly<Record<string, unknown>>;

/** What the package takes for a scheme. */
interface X402ClientScheme {
  readonly scheme: 'exact';
  readonly schemeHooks: {
    readonly onBeforePaymentCreation: (asked: {
      readonly paymentRequired: object;
      readonly selectedRequirements: object;
    }) => Promise<void>;
  };
  readonly createPaymentPayload: (x402Version: number, requirements: object) => Promise<PaymentPayloadPart>;
}

interface PaymentPayloadPart {
  readonly x402Version: number;
  readonly payload: Members;
  readonly extensions?: Members;
}

export interface X402Payment {
  /** Given to the package in place of fetch: it notes who asked, and reports what became of each payment. */
  readonly fetch: typeof fetch;
  readonly scheme: X402ClientScheme;
}

interface Exchanges {
  /** Who asked, by what it asked for. */
  readonly asked: Map<string, RequestHop>;
  /** What is paid, by the nonce of the transfer. */
  readonly granted: Map<string, { readonly hop: RequestHop; readonly grant: HttpPaymentGrant }>;
}

/**
 * The package chooses among what a server accepts, and the node signs that or nothing. What pays is sent to the hop that asked.
 * @throws (by createPaymentPayload) an Error with the refusal as its cause, and CountersignError where the node does not answer
 */
export function x402Scheme(node: PayingNode, options: PayFetchOptions): X402Payment {
  const payer = makePayer(node, options);
  const exchanges: Exchanges = { asked: new Map(), granted: new Map() };
  // The hook is given the very object that a payload is then asked for: so concurrent calls are told apart.
  const chosen = new WeakMap<object, object>();
  return {
    fetch: (input, init) => send(payer, exchanges, input, init),
    scheme: {
      scheme: 'exact',
      schemeHooks: {
        async onBeforePaymentCreation({ paymentRequired, selectedRequirements }) {
          chosen.set(selectedRequirements, paymentRequired);
        },
      },
      createPaymentPayload: (x402Version, requirements) =>
        pay(payer, exchanges, x402Version, { required: chosen.get(requirements), accepted: requirements }),
    },
  };
}

async function send(
  payer: Payer,
  { asked, granted }: Exchanges,
  input: string | URL | Request,
  init: RequestInit | undefined,
): Promise<Response> {
  const given = await hopOf(input, init);
  const paid = granted.get(nonceIn(given.headers.get('payment-signature') ?? ''));
  const first = paid?.hop ?? given;
  const answer = paid === undefined ? await sendHop(payer.send, first) : await sendPaid(payer, first, paid.grant);
  const { hop, response } = await follow(payer.send, first, answer);
  const required = response.status === 402 ? membersIn(response.headers.get('payment-required') ?? '') : undefined;
  if (required !== undefined) remember(asked, JSON.stringify(required), hop);
  return response;
}

async function pay(
  payer: Payer,
  { asked, granted }: Exchanges,
  x402Version: number,
  { required, accepted }: { readonly required: object | undefined; readonly accepted: object },
): Promise<PaymentPayloadPart> {
  const hop = required === undefined ? undefined : asked.get(JSON.stringify(required));
  if (required === undefined || hop === undefined) throw new Error('Give the package the fetch of x402Scheme.');
  const offers = { paymentRequired: { ...required }, accepted: { ...accepted } };
  const grant = await authorize(payer, await purchaseOf(hop), offers);
  if (!grant.allowed) throw refusalError(grant);
  const { payload, extensions } = (grant.paymentPayload ?? {}) as Partial<PaymentPayloadPart>;
  if (payload === undefined) throw new TypeError('The node gave no payload to pay with.');
  remember(granted, String((payload['authorization'] as Members | undefined)?.['nonce']), { hop, grant });
  return { x402Version, payload, ...(extensions === undefined ? {} : { extensions }) };
}

function nonceIn(header: string): string {
  const payload = membersIn(header)?.['payload'] as
    | { readonly authorization?: { readonly nonce?: unknown } }
    | undefined;
  return String(payload?.authorization?.nonce ?? '');
}

/** @returns undefined for what is no JSON object in base64 */
function membersIn(header: string): Members | undefined {
  const bytes = fromBase64(header);
  if (bytes === undefined) return undefined;
  try {
    const value: unknown = JSON.parse(new TextDecoder().decode(bytes));
    return typeof value === 'object' && value !== null ? (value as Members) : undefined;
  } catch {
    return undefined;
  }
}
