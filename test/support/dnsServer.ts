/** A DNS server (RFC 1035) that answers A and AAAA questions as it is told, once so and once otherwise. */
import { createSocket } from 'node:dgram';
import { Resolver } from 'node:dns/promises';
import type { AddressInfo } from 'node:net';
import { isIPv4 } from 'node:net';

export interface DnsServer {
  /** Every address of a name, asked of this server. */
  resolve(hostname: string): Promise<string[]>;
  /** Questions answered so far. */
  questions(): number;
  close(): Promise<void>;
}

/** @param answer the addresses of a name, at the nth question about it */
export async function startDns(answer: (name: string, nth: number) => readonly string[]): Promise<DnsServer> {
  const socket = createSocket('udp4');
  const asked = new Map<string, number>();
  let questions = 0;
  socket.on('message', (query, from) => {
    const { name, type, end } = questionOf(query);
    const key = `${name} ${type}`;
    const nth = asked.get(key) ?? 0;
    asked.set(key, nth + 1);
    questions += 1;
    const addresses = answer(name, nth).filter((address) => isIPv4(address) === (type === A));
    const records = addresses.map((address) => recordOf(type, bytesOf(address)));
    const head = Buffer.from(query.subarray(0, 12));
    head.writeUInt16BE(0x8180, 2);
    head.writeUInt16BE(records.length, 6);
    head.writeUInt32BE(0, 8);
    socket.send(Buffer.concat([head, query.subarray(12, end), ...records]), from.port, from.address);
  });
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
  const resolver = new Resolver({ timeout: 1000, tries: 1 });
  resolver.setServers([`127.0.0.1:${(socket.address() as AddressInfo).port}`]);
  return {
    async resolve(hostname) {
      const found = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
      return found.flatMap((each) => (each.status === 'fulfilled' ? each.value : []));
    },
    questions: () => questions,
    close: () => new Promise((resolve) => socket.close(() => resolve())),
  };
}

const A = 1;

function questionOf(query: Buffer): { name: string; type: number; end: number } {
  const labels: string[] = [];
  let at = 12;
  for (let length = query[at] as number; length > 0; length = query[at] as number) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join('.').toLowerCase(), type: query.readUInt16BE(at + 1), end: at + 5 };
}

/** An answer about the name in the question, good for no time at all. */
function recordOf(type: number, address: Buffer): Buffer {
  const head = Buffer.alloc(12);
  head.writeUInt16BE(0xc00c, 0);
  head.writeUInt16BE(type, 2);
  head.writeUInt16BE(1, 4);
  head.writeUInt16BE(address.length, 10);
  return Buffer.concat([head, address]);
}

function bytesOf(address: string): Buffer {
  if (isIPv4(address)) return Buffer.from(address.split('.').map(Number));
  const [left = '', right] = address.split('::');
  const words = (text: string | undefined) => (text ? text.split(':').map((word) => Number.parseInt(word, 16)) : []);
  const [front, back] = [words(left), words(right)];
  const all = [...front, ...Array<number>(8 - front.length - back.length).fill(0), ...back];
  return Buffer.from(all.flatMap((word) => [word >> 8, word & 255]));
}
