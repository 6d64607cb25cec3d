/** What deliveries are held against: a bare undici loop that posts the same bodies and does nothing else. */
import { createServer } from 'node:http';
import { Agent, request } from 'undici';
import { bodies } from './outbox.ts';

const connections = Number(process.env['BENCH_CONNECTIONS']);
const target = String(process.env['BENCH_TARGET']);
const agent = new Agent({ connections, pipelining: 1 });

async function post(count: number): Promise<void> {
  const texts = bodies(count);
  const each = async () => {
    for (let body = texts.pop(); body !== undefined; body = texts.pop()) {
      const headers = { 'content-type': 'application/json' };
      const answer = await request(target, { method: 'POST', headers, body, dispatcher: agent });
      await answer.body.dump();
    }
  };
  await Promise.all(Array.from({ length: connections }, each));
}

createServer((asked, response) => {
  const count = new URL(asked.url ?? '/', 'http://bench').searchParams.get('count');
  if (count === null) response.end('ready');
  else post(Number(count)).then(() => response.end('done'));
}).listen(Number(process.env['PORT']), '127.0.0.1');
