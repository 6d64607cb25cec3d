/** A proxy before a node that gives one kind of answer from memory after the first time: what is measured then is the reader. */
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

interface Kept {
  readonly status: number;
  readonly type: string;
  readonly body: Buffer;
}

export interface ReplayingProxy {
  /** By the name localhost, for pages with passkeys. */
  readonly url: string;
  /** The node that it stands before; to be set before the first request. */
  target: string;
  close(): Promise<void>;
}

/** @param isKept whether the answer to a path is given again */
export async function replayingProxy(isKept: (path: string) => boolean): Promise<ReplayingProxy> {
  const kept = new Map<string, Kept>();
  const server = createServer((incoming, outgoing) => {
    const path = String(incoming.url);
    const again = kept.get(path);
    if (again === undefined) {
      pass(proxy.target, incoming, outgoing, (answer) => {
        if (isKept(path)) kept.set(path, answer);
      });
      return;
    }
    outgoing.writeHead(again.status, { 'content-type': again.type, 'content-length': again.body.length });
    outgoing.end(again.body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const proxy: ReplayingProxy = {
    url: `http://localhost:${(server.address() as AddressInfo).port}`,
    target: '',
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return proxy;
}

function pass(
  target: string,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  ended: (answer: Kept) => void,
): void {
  const { method, headers, url } = incoming;
  const asked = request(target + url, { method, headers }, (answer) => {
    const pieces: Buffer[] = [];
    outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
    answer.on('data', (piece: Buffer) => pieces.push(piece));
    answer.on('end', () => {
      const { statusCode: status = 502, headers: given } = answer;
      if (status === 200) ended({ status, type: String(given['content-type']), body: Buffer.concat(pieces) });
    });
    answer.pipe(outgoing);
  });
  asked.on('error', () => outgoing.destroy());
  outgoing.on('close', () => asked.destroy());
  incoming.pipe(asked);
}
