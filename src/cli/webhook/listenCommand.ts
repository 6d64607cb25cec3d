/** `countersign listen`: events from a node as they happen, forwarded to a program on this machine. */
import { Command } from 'commander';
import pc from 'picocolors';
import type { WebhookEvent } from '../../../protocol/webhook/event.ts';
import { signatureHeaders, signingKey } from '../../webhooks/signature.ts';
import { DEFAULT_URL, type TargetOptions, targetOptions } from '../target/targetOptions.ts';
import { type Target, withTarget } from '../target/withTarget.ts';
import { followEvents } from './followEvents.ts';

interface ListenOptions extends TargetOptions {
  readonly forwardTo?: string;
  readonly events?: string;
}

export function listenCommand(env: NodeJS.ProcessEnv): Command {
  return targetOptions(new Command('listen'), 'admin')
    .description('Follow events as they happen, and forward them, signed, to a program on this machine.')
    .option('--forward-to <address>', 'where to post them; without it they are only shown')
    .option('--events <list>', 'only these, comma-separated')
    .action((options: ListenOptions) =>
      withTarget(env, options, ({ client }) => listen(client, options), { defaultUrl: DEFAULT_URL }),
    );
}

async function listen(client: Target['client'], options: ListenOptions): Promise<void> {
  const wanted = options.events?.split(',').map((event) => event.trim());
  const { cursor, secret } = await client.tailEvents();
  const to = options.forwardTo === undefined ? '' : `, forwarding to ${options.forwardTo}`;
  if (options.json !== true) console.log(`Listening${to}. Signing secret: ${pc.bold(secret)}`);
  for await (const event of followEvents(client, cursor)) {
    if (wanted?.includes(event.type) === false) continue;
    const result = options.forwardTo === undefined ? '' : ` → ${await forward(event, secret, options.forwardTo)}`;
    const line = `${event.created}  ${event.type}  ${event.id}${result}`;
    console.log(options.json === true ? JSON.stringify(event) : line);
  }
}

/** @returns how the receiver answered, in a few words */
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
