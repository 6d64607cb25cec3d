/** A server on this machine that asks for money by HTTP (402), for demonstrations: what it has is paid by one protocol each. */
import { randomUUID } from 'node:crypto';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { toBase64url } from '../../../protocol/credential/encodings.ts';
import { readCredential } from '../../../protocol/mpp/chargeCredential.ts';

/** How it asks for money, and knows that it was paid. */
interface SellingProtocol {
  /** As the first part of a path has it, and as people call it. */
  readonly path: string;
  readonly name: string;
  /** @param id of what it asks for now @param price in whole USD @returns the headers of a 402 */
  ask(id: string, price: number): Record<string, string>;
  /** @returns undefined where nothing pays, else which id, and the headers that say so */
  receive(headers: IncomingHttpHeaders): { readonly id: string; readonly headers: Record<string, string> } | undefined;
}

export const sellingProtocols: readonly SellingProtocol[] = [
  {
    path: 'mpp',
    name: 'MPP',
    ask(id, price) {
      const methodDetails = { networkId: 'profile_demo', paymentMethodTypes: ['card'] };
      const request = encoded({ amount: String(price * 100), currency: 'usd', methodDetails });
      const expires = new Date(Date.now() + 300_000).toISOString();
      return {
        'WWW-Authenticate': `Payment id="${id}", realm="Reports", method="stripe", intent="charge", request="${request}", expires="${expires}"`,
      };
    },
    receive({ authorization = '' }) {
      const { challenge, payload } = readCredential(authorization) ?? {};
      if (challenge === undefined || !String(payload?.['spt']).startsWith('spt_')) return undefined;
      const reference = `pi_${randomUUID().replaceAll('-', '')}`;
      const receipt = { method: 'stripe', status: 'success', reference, timestamp: new Date() };
      return { id: String(challenge['id']), headers: { 'Payment-Receipt': encoded(receipt) } };
    },
  },
];

interface SellingServer {
  readonly address: string;
  close(): void;
}

/** @param prices in whole USD, of what follows the protocol in a path */
export async function startSellingServer(prices: Readonly<Record<string, number>>): Promise<SellingServer> {
  const asked = new Set<string>();
  const server = createServer(({ url = '', headers }, response) => {
    const [, path, what = ''] = url.split('/');
    const protocol = sellingProtocols.find((each) => each.path === path);
    const price = prices[what];
    if (protocol === undefined || price === undefined) return response.writeHead(404).end();
    const paid = protocol.receive(headers);
    // Each is paid once.
    if (paid !== undefined && asked.delete(paid.id)) return response.writeHead(200, paid.headers).end(what);
    const id = randomUUID();
    asked.add(id);
    return response.writeHead(402, protocol.ask(id, price)).end();
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
