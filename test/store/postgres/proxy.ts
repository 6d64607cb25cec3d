/** A network between a node and PostgreSQL that fails on demand. */
import { connect, createServer, type Socket } from 'node:net';

export interface Proxy {
  /** The database's URL by way of the proxy. */
  readonly url: string;
  /** Passes on the next message with this word in it, then cuts that connection once the server has answered. */
  cutAfter(word: string): void;
  /** Cuts every connection and takes no new one, until told otherwise. */
  refuse(refusing: boolean): void;
  /** How often a node has sent something after an answer, over all connections: each time it waited for one. */
  trips(): number;
  stop(): Promise<void>;
}

/** The command as it is sent, which ends its text with a zero byte; others have the word within them. */
export const COMMIT = 'COMMIT\0';

/** A node sends it after a read and waits for nothing: https://www.postgresql.org/docs/current/protocol-message-formats.html */
const ROLLBACK = Buffer.from('Q\0\0\0\rROLLBACK\0');

interface ProxyOptions {
  /** How far away the server is: every answer takes so much longer. */
  readonly delayMs?: number;
  /** Only trips with this in them are counted, so that those of workers can be left out. */
  readonly counted?: RegExp;
}

export async function startProxy(databaseUrl: string, options: ProxyOptions = {}): Promise<Proxy> {
  const { delayMs = 0, counted = /^/ } = options;
  const url = new URL(databaseUrl);
  const target = { host: url.hostname, port: Number(url.port) };
  const nodes = new Set<Socket>();
  let word: string | undefined;
  let refusing = false;
  let trips = 0;

  const server = createServer((node) => {
    if (refusing) {
      node.destroy();
      return;
    }
    const database = connect(target);
    let cutting = false;
    let isAnswered = true;
    nodes.add(node);
    node.on('data', (data) => {
      if (word !== undefined && data.includes(word)) {
        word = undefined;
        cutting = true;
      }
      if (!data.equals(ROLLBACK)) {
        if (isAnswered && counted.test(data.toString('latin1'))) trips += 1;
        isAnswered = false;
      }
      database.write(data);
    });
    const answer = (data: Buffer) => {
      isAnswered = true;
      if (cutting) node.destroy();
      else node.write(data);
    };
    database.on('data', (data) => {
      if (delayMs === 0) answer(data);
      else setTimeout(() => answer(data), delayMs);
    });
    for (const socket of [node, database]) socket.on('error', () => {});
    node.on('close', () => {
      nodes.delete(node);
      database.destroy();
    });
    database.on('close', () => node.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  url.host = `127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`;

  function cutAll(): void {
    for (const node of nodes) node.destroy();
  }

  return {
    url: url.href,
    cutAfter(next) {
      word = next;
    },
    refuse(next) {
      refusing = next;
      if (refusing) cutAll();
    },
    trips: () => trips,
    stop: () => {
      cutAll();
      return new Promise((resolve) => {
        server.close(() => resolve());
      });
    },
  };
}
