/** A network between a node and PostgreSQL that fails on demand. */
import { connect, createServer, type Socket } from 'node:net';

export interface Proxy {
  /** The database's URL by way of the proxy. */
  readonly url: string;
  /** Passes on the next message with this word in it, then cuts that connection once the server has answered. */
  cutAfter(word: string): void;
  /** Cuts every connection and takes no new one, until told otherwise. */
  refuse(refusing: boolean): void;
  stop(): Promise<void>;
}

export async function startProxy(databaseUrl: string): Promise<Proxy> {
  const url = new URL(databaseUrl);
  const target = { host: url.hostname, port: Number(url.port) };
  const nodes = new Set<Socket>();
  let word: string | undefined;
  let refusing = false;

  const server = createServer((node) => {
    if (refusing) {
      node.destroy();
      return;
    }
    const database = connect(target);
    let cutting = false;
    nodes.add(node);
    node.on('data', (data) => {
      if (word !== undefined && data.includes(word)) {
        word = undefined;
        cutting = true;
      }
      database.write(data);
    });
    database.on('data', (data) => {
      if (cutting) node.destroy();
      else node.write(data);
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
    stop: () => {
      cutAll();
      return new Promise((resolve) => {
        server.close(() => resolve());
      });
    },
  };
}
