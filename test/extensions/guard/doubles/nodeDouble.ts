/** The double of a node's reservations behind its addresses, as the guard's program asks it. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { CountersignError } from '../../../../client/error.ts';
import { ReservationDouble } from './reservationDouble.ts';

export const KEY = 'ak_guard_test';
const PATH = /^\/ap2\/external\/reservations(?:\/([^/]+)\/(commit|release))?$/;

export interface NodeDouble {
  readonly node: ReservationDouble;
  readonly url: string;
  close(): void;
}

export async function nodeDouble(): Promise<NodeDouble> {
  const node = new ReservationDouble();
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const body = JSON.parse(Buffer.concat(chunks).toString());
    const [, mandateId, action] = PATH.exec(request.url ?? '') ?? [];
    const answer = (status: number, value: unknown) =>
      response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(value));
    if (request.headers.authorization !== `Bearer ${KEY}`) {
      return answer(401, { error: { code: 'UNAUTHORIZED', message: 'The key is not one of this node.' } });
    }
    // As a node of before guards told it of their tools.
    if (!PATH.test(request.url ?? ''))
      return answer(404, { error: { code: 'NOT_FOUND', message: 'There is no such path.' } });
    try {
      if (mandateId === undefined) return answer(200, await node.reserve(body));
      const key = String(body.idempotencyKey);
      await (action === 'commit' ? node.commit(mandateId, body, key) : node.release(mandateId, body.reason, key));
      return answer(200, { mandateId });
    } catch (error) {
      if (!(error instanceof CountersignError) || error.status === 0) return request.socket.destroy();
      return answer(error.status, { error: { code: error.code, message: error.message } });
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    node,
    url: `http://127.0.0.1:${port}`,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}
