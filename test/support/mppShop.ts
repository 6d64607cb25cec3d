/** A shop of the stock package (mppx) that is paid at the double of Stripe, and may fail its buyers on request. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Mppx } from 'mppx/server/core';
import { stripe as stripeMethod } from 'mppx/stripe/server/spt';
import { connectStripe } from '../../src/extensions/stripe/connectStripe.ts';
import { STRIPE_KEY } from './stripe/double.ts';

export interface ShopRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Headers;
  readonly body: string;
}

interface ShopOptions {
  /** In whole units, as the shop says it. */
  readonly amount?: string;
  readonly externalId?: string;
  /** Seconds until a challenge ends. */
  readonly seconds?: number;
  /** Takes a credential in Payment-Authorization, beside a key. */
  readonly requiresAuth?: boolean;
}

export type MppShop = Awaited<ReturnType<typeof startMppShop>>;

/** What the shop needs to take money with a token. */
export function paidAtDouble(apiBase: string) {
  const client = connectStripe({ secretKey: STRIPE_KEY, apiBase, timeoutSeconds: 5 });
  return stripeMethod.charge({
    client: client as never,
    networkId: 'profile_shop',
    paymentMethodTypes: ['card'],
    currency: 'usd',
    decimals: 2,
  });
}

export const SHOP_SECRET = 'a secret of at least thirty-two bytes, for the shop';

/** @param apiBase of the double of Stripe */
export async function startMppShop(apiBase: string) {
  const requests: ShopRequest[] = [];
  const charge = paidAtDouble(apiBase);
  const mppx = (requiresAuth: boolean) =>
    Mppx.create({ methods: [charge], realm: 'the shop', secretKey: SHOP_SECRET, requiresAuth });
  const shop = {
    url: '',
    requests,
    options: {} as ShopOptions,
    /** Answers in place of the shop; undefined where the shop shall answer. */
    instead: async (
      _request: ShopRequest,
      _sell: () => Promise<Response>,
      _ask: () => Promise<Response>,
    ): Promise<Response | undefined> => undefined,
    close: () =>
      new Promise((resolve) => {
        server.close(resolve);
        server.closeAllConnections();
      }),
  };
  const server = createServer((incoming, response) => void serve(incoming, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  shop.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return shop;

  async function serve(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    let body = '';
    for await (const part of incoming) body += part;
    const { method = 'GET', url: path = '/' } = incoming;
    const headers = new Headers(incoming.headers as Record<string, string>);
    const request = { method, path, headers, body };
    requests.push(request);
    const sent = new Request(shop.url + path, { method, headers, ...(body === '' ? {} : { body }) });
    const sell = () => sale(sent);
    const ask = () => sale(new Request(shop.url + path, { method }));
    const answer = (await shop.instead(request, sell, ask)) ?? (await sell());
    response.writeHead(answer.status, Object.fromEntries(answer.headers));
    response.end(await answer.text());
  }

  async function sale(request: Request): Promise<Response> {
    const { amount = '5', externalId, seconds = 200, requiresAuth = false } = shop.options;
    const expires = new Date(Date.now() + seconds * 1000).toISOString();
    const asked = { amount, expires, ...(externalId === undefined ? {} : { externalId }) };
    const result = await mppx(requiresAuth).charge(asked as never)(request);
    if (result.status === 402) return result.challenge as Response;
    return result.withReceipt(Response.json({ report: 'tea' })) as Response;
  }
}
