/** A server on this machine that asks for money by HTTP (402), for demonstrations: what it has is paid by one protocol each. */
import { randomBytes, randomUUID } from 'node:crypto';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { toBase64url } from '../../../protocol/credential/encodings.ts';
import { encodedObject } from '../../../protocol/mpp/challengeList.ts';
import { readCredential } from '../../../protocol/mpp/chargeCredential.ts';
import { headerObject, headerText } from '../../../protocol/x402/paymentRequired.ts';

/** How it asks for money, and knows that it was paid. */
interface SellingProtocol {
  /** As the first part of a path has it, and as people call it. */
  readonly path: string;
  readonly name: string;
  /** @param price in whole USD @returns the headers of a 402 */
  ask(price: number): Record<string, string>;
  /** @returns undefined where nothing pays the price, else by what it is known if it comes again, and the headers that say so */
  receive(
    headers: IncomingHttpHeaders,
    price: number,
  ): { readonly id: string; readonly headers: Record<string, string> } | undefined;
}

const mpp: SellingProtocol = {
  path: 'mpp',
  name: 'MPP',
  ask(price) {
    const methodDetails = { networkId: 'profile_demo', paymentMethodTypes: ['card'] };
    const request = encoded({ amount: String(price * 100), currency: 'usd', methodDetails });
    const expires = new Date(Date.now() + 300_000).toISOString();
    return {
      'WWW-Authenticate': `Payment id="${randomUUID()}", realm="Reports", method="stripe", intent="charge", request="${request}", expires="${expires}"`,
    };
  },
  receive({ authorization = '' }, price) {
    const { challenge = {}, payload } = readCredential(authorization) ?? {};
    const { amount } = encodedObject(String(challenge['request'])) ?? {};
    if (amount !== String(price * 100) || !String(payload?.['spt']).startsWith('spt_')) return undefined;
    const reference = `pi_${randomUUID().replaceAll('-', '')}`;
    const receipt = { method: 'stripe', status: 'success', reference, timestamp: new Date() };
    return { id: String(challenge['id']), headers: { 'Payment-Receipt': encoded(receipt) } };
  },
};

/** The chain that the demo's wallet is on; nothing is sent to it. */
export const DEMO_NETWORK = 'eip155:84532';

const x402: SellingProtocol = {
  path: 'x402',
  name: 'x402',
  ask(price) {
    const money = { amount: String(price * 1_000_000), asset: '0x036CbD53842c5426634e7929541eC2318f3dCF7e' };
    const to = { payTo: '0x209693Bc6afc0C5328bA36FaF03C514EF312287C', maxTimeoutSeconds: 300 };
    const extra = { name: 'USDC', version: '2' };
    const accepts = [{ scheme: 'exact', network: DEMO_NETWORK, ...money, ...to, extra }];
    return { 'PAYMENT-REQUIRED': headerText({ x402Version: 2, resource: { url: 'Reports' }, accepts }) };
  },
  receive({ 'payment-signature': signed = '' }, price) {
    const { payload } = headerMembers(String(signed));
    const { authorization } = (payload ?? {}) as {
      readonly authorization?: Record<'from' | 'nonce' | 'value', string>;
    };
    if (authorization?.value !== String(price * 1_000_000)) return undefined;
    const { from: payer, nonce } = authorization;
    const settled = {
      success: true,
      transaction: `0x${randomBytes(32).toString('hex')}`,
      network: DEMO_NETWORK,
      payer,
    };
    return { id: nonce, headers: { 'PAYMENT-RESPONSE': headerText(settled) } };
  },
};

export const sellingProtocols: readonly SellingProtocol[] = [mpp, x402];

interface SellingServer {
  readonly address: string;
  close(): void;
}

/** @param prices in whole USD, of what follows the protocol in a path */
export async function startSellingServer(prices: Readonly<Record<string, number>>): Promise<SellingServer> {
  const received = new Set<string>();
  const server = createServer(({ url = '', headers }, response) => {
    const [, path, what = ''] = url.split('/');
    const protocol = sellingProtocols.find((each) => each.path === path);
    const price = prices[what];
    if (protocol === undefined || price === undefined) return response.writeHead(404).end();
    const paid = protocol.receive(headers, price);
    if (paid === undefined || received.has(paid.id)) return response.writeHead(402, protocol.ask(price)).end();
    received.add(paid.id);
    return response.writeHead(200, paid.headers).end(what);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

function encoded(value: object): string {
  return toBase64url(new TextEncoder().encode(JSON.stringify(value)));
}

function headerMembers(text: string): Readonly<Record<string, unknown>> {
  const found = headerObject(text);
  return typeof found === 'string' ? {} : found;
}
