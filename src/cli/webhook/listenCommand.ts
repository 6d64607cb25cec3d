/** `countersign listen`: events from a node as they happen, forwarded to a program on this machine. */
import { Command } from 'commander';
import pc from 'picocolors';
import type { WebhookEvent } from '../../../protocol/webhook/event.ts';
import { type EventTail, MAX_TAIL_SECONDS } from '../../../protocol/webhook/subscription.ts';
import { signatureHeaders, signingKey } from '../../webhooks/signature.ts';
import { WrongUse } from '../exit.ts';
import { type Ask, askNode } from '../target/reach.ts';

interface ListenOptions {
  readonly url?: string;
  readonly key?: string;
  readonly forwardTo?: string;
  readonly events?: string;
  readonly json?: boolean;
}

const PAUSE_MS = 2000;

export function listenCommand(env: NodeJS.ProcessEnv): Command {
  return new Command('listen')
    .description('Follow events as they happen, and forward them, signed, to a program on this machine.')
    .option('--forward-to <address>', 'where to post them; without it they are only shown')
    .option('--events <list>', 'only these, comma-separated')
    .option('--url <address>', 'the node (COUNTERSIGN_URL)')
    .option('--key <key>', 'a key of that node with the permission admin (COUNTERSIGN_API_KEY)')
    .option('--json', 'show each event as a line of JSON')
    .action((options: ListenOptions) => listen(nodeOf(env, options), options));
}

/** A running node, which these commands cannot do without. */
export function nodeOf(env: NodeJS.ProcessEnv, options: { readonly url?: string; readonly key?: string }): Ask {
  const url = options.url ?? env['COUNTERSIGN_URL'] ?? 'http://localhost:8402';
  const key = options.key ?? env['COUNTERSIGN_API_KEY'];
  if (key === undefined) throw new WrongUse('A running node wants a key: give --key, or set COUNTERSIGN_API_KEY.');
  return askNode(url, key);
}

async function listen(ask: Ask, options: ListenOptions): Promise<never> {
  const wanted = options.events?.split(',').map((event) => event.trim());
  // The first question must succeed; a node that goes away later may come back.
  let tail = await ask('GET', '/ap2/admin/events').then((answer) => answer as EventTail);
  const to = options.forwardTo === undefined ? '' : `, forwarding to ${options.forwardTo}`;
  if (options.json !== true) console.log(`Listening${to}. Signing secret: ${pc.bold(tail.secret)}`);
  for (;;) {
    for (const event of tail.events) {
      if (wanted === undefined || wanted.includes(event.type)) await pass(event, tail.secret, options);
    }
    const query = new URLSearchParams({ cursor: tail.cursor, wait: String(MAX_TAIL_SECONDS) });
    const { cursor, secret } = tail;
    tail = await ask('GET', `/ap2/admin/events?${query}`)
      .then((answer) => answer as EventTail)
      .catch(async (error: Error) => {
        console.error(pc.yellow(error.message));
        await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
        return { cursor, secret, events: [] };
      });
  }
}

async function pass(event: WebhookEvent, secret: string, options: ListenOptions): Promise<void> {
  const result = options.forwardTo === undefined ? '' : ` → ${await forward(event, secret, options.forwardTo)}`;
  console.log(options.json === true ? JSON.stringify(event) : `${event.created}  ${event.type}  ${event.id}${result}`);
}

async function forward(event: WebhookEvent, secret: string, address: string): Promise<string> {
  const body = JSON.stringify(event);
  const timestamp = Math.floor(Date.now() / 1000);
  const headers = signatureHeaders({ id: event.id, timestamp, body }, [signingKey(secret)]);
  const started = performance.now();
  try {
    const request = { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body };
    const response = await fetch(address, { ...request, redirect: 'manual', signal: AbortSignal.timeout(30_000) });
    await response.arrayBuffer();
    const text = `${response.status} in ${Math.round(performance.now() - started)} ms`;
    return response.ok ? pc.green(text) : pc.red(text);
  } catch (error) {
    return pc.red(error instanceof Error ? `${error.message}: ${String(error.cause ?? '')}` : String(error));
  }
}
