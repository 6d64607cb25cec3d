/** A request whose head a node has read and whose body it still waits for: one that is in flight for certain. */
import { once } from 'node:events';
import { connect } from 'node:net';
import { until } from './until.ts';

export interface BegunRequest {
  /** Sends the body. @returns the answer, once the node has closed the connection */
  finish(): Promise<string>;
}

/** Begins a POST on a connection of its own. @param address of the node, such as http://127.0.0.1:8402 */
export async function beginRequest(address: string, key: string, path: string, body: string): Promise<BegunRequest> {
  const socket = connect(Number(new URL(address).port), '127.0.0.1');
  const closed = once(socket, 'close');
  let text = '';
  socket.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk;
  });
  const headers = [
    `POST ${path} HTTP/1.1`,
    'Host: localhost',
    `Authorization: Bearer ${key}`,
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Expect: 100-continue',
  ];
  socket.write(`${headers.join('\r\n')}\r\n\r\n`);
  await until('the head is read', async () => text.startsWith('HTTP/1.1 100'), 12_000, 5);
  return {
    async finish() {
      text = '';
      socket.write(body);
      await closed;
      return text;
    },
  };
}
