/** `countersign listen`: the events of a node as they happen, forwarded to a program on this machine. */
import type { WebhookEvent, WebhookEventType } from '../../../protocol/webhook/event.ts';
import { signatureHeaders, signingKey } from '../../webhooks/signature.ts';
import { reasonOf, WrongUse } from '../commandFailure.ts';
import { colour } from '../output/colour.ts';
import { endWithReader, print } from '../output/print.ts';
import { DEFAULT_URL, isWebAddress, type TargetOptions } from '../target/targetOptions.ts';
import { type Target, withTarget } from '../target/withTarget.ts';
import { followEvents } from './followEvents.ts';

const PATIENCE_MS = 30_000;

interface ListenOptions extends TargetOptions {
  readonly forwardTo?: string;
  readonly events?: readonly WebhookEventType[];
}

export function listen(env: NodeJS.ProcessEnv, options: ListenOptions): Promise<void> {
  const { forwardTo: address } = options;
  if (address !== undefined && !isWebAddress(address)) {
    throw new WrongUse(`"${address}" is not an address to forward to; one looks like http://localhost:3000/events.`);
  }
  endWithReader();
  const follow = async ({ client }: Target) => {
    const { secret } = await client.showListenSecret();
    const { cursor } = await client.tailEvents();
    const to = address === undefined ? '' : `, forwarding to ${address}`;
    if (options.json !== true) console.log(`Listening${to}. Signing secret: ${colour.bold(secret)}`);
    for await (const event of followEvents(client, cursor, options.events)) {
      const result = address === undefined ? '' : ` → ${await forward(event, secret, address)}`;
      print(options, event, `${event.created}  ${event.type}  ${event.id}${result}`);
    }
  };
  return withTarget(env, options, follow, { defaultUrl: DEFAULT_URL });
}

/** @returns how the receiver answered, in a few words */
async function forward(event: WebhookEvent, secret: string, address: string): Promise<string> {
  const body = JSON.stringify(event);
  const timestamp = Math.floor(Date.now() / 1000);
  const headers = signatureHeaders({ id: event.id, timestamp, body }, [signingKey(secret)]);
  const started = performance.now();
  try {
    const request = { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body };
    const response = await fetch(address, { ...request, redirect: 'manual', signal: AbortSignal.timeout(PATIENCE_MS) });
    await response.arrayBuffer();
    const text = `${response.status} in ${Math.round(performance.now() - started)} ms`;
    return response.ok ? colour.green(text) : colour.red(text);
  } catch (error) {
    return colour.red(failureOf(error));
  }
}

/** Why nothing was answered. What fetch throws itself says only that it failed. */
function failureOf(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
  if (code === 'ECONNREFUSED') return 'nothing listens there; start your program';
  if (cause instanceof Error && cause.name === 'TimeoutError') return `no answer within ${PATIENCE_MS / 1000} s`;
  return `not delivered: ${reasonOf(cause)}`;
}
