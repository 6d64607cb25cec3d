/** `countersign listen` and `countersign tail`: the events of a node as they happen, forwarded to a program here, or shown. */

import type { Client } from '../../../client/rest.ts';
import type { WebhookEvent, WebhookEventType } from '../../../protocol/webhook/event.ts';
import { MAX_TAIL_SECONDS } from '../../../protocol/webhook/subscription.ts';
import { inertText } from '../../../protocol/wire/plainText.ts';
import { signatureHeaders, signingKey } from '../../webhooks/signature.ts';
import { reasonOf, WrongUse } from '../commandFailure.ts';
import { subjectOf } from '../evidence/readEvidence.ts';
import { localTime } from '../output/layout.ts';
import { colour, endWithReader, print } from '../output/print.ts';
import { agentNames } from '../target/names.ts';
import { DEFAULT_URL, isWebAddress, type TargetOptions } from '../target/targetOptions.ts';
import { type Target, withTarget } from '../target/withTarget.ts';

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

const PAUSE_MS = 2000;

/**
 * @param cursor of the answer to the first tailEvents, which must succeed: a node that goes away later may come back
 * @param types only these; all when not given
 */
async function* followEvents(
  client: Client,
  cursor: string,
  types?: readonly WebhookEventType[],
): AsyncGenerator<WebhookEvent> {
  let next = cursor;
  for (;;) {
    const tail = await client.tailEvents({ cursor: next, wait: MAX_TAIL_SECONDS }).catch(async (error: unknown) => {
      if (!mayPass(error)) throw error;
      console.error('No node answers for now; trying again.');
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
      return { cursor: next, events: [] };
    });
    next = tail.cursor;
    const events = tail.events as WebhookEvent[];
    yield* types === undefined ? events : events.filter(({ type }) => types.includes(type));
  }
}

function mayPass(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return code === 'NETWORK' || code === 'UNAVAILABLE' || code === 'INVALID_ANSWER';
}

interface TailOptions extends TargetOptions {
  readonly types?: readonly WebhookEventType[];
  readonly count?: number;
}

export function tail(env: NodeJS.ProcessEnv, options: TailOptions): Promise<void> {
  endWithReader();
  return withTarget(env, options, async ({ client }) => {
    const { cursor } = await client.tailEvents();
    if (options.json !== true) console.error(colour.dim('Following events; end with Ctrl-C.'));
    let left = options.count ?? Number.POSITIVE_INFINITY;
    const named = agentNamer(client);
    for await (const event of followEvents(client, cursor, options.types)) {
      console.log(options.json === true ? JSON.stringify(event) : lineOf(event, await named(event)));
      left -= 1;
      if (left === 0) return;
    }
  });
}

/** @returns what to call the agent of an event; each agent is looked up once, and those of one name are told apart */
function agentNamer(client: Client): (event: WebhookEvent) => Promise<string | undefined> {
  const names = new Map<string, string>();
  return async ({ context, data }) => {
    const did = context.agentDid ?? data.agentDid;
    if (typeof did !== 'string') return undefined;
    if (!names.has(did)) names.set(did, (await agentNames(client, [did])).get(did) ?? did);
    const name = names.get(did) as string;
    const isShared = [...names].some(([other, called]) => called === name && other !== did);
    return isShared ? `${name} (…${did.slice(-6)})` : name;
  };
}

/** The longest name of an event. */
const WIDTH = 'payment.refund_failed'.length;

function lineOf({ type, created, data }: WebhookEvent, agent: string | undefined): string {
  const paint = /denied|failed|rejected|revoked|suspended|disputed|violation/.test(type) ? colour.red : colour.green;
  const about = [
    agent,
    inertText(subjectOf({ ...data, agentDid: undefined })),
    typeof data.url === 'string' ? inertText(data.url) : undefined,
  ];
  const said = about.filter((part, at) => part !== undefined && part !== '' && about.indexOf(part) === at).join('  ');
  return `${colour.dim(localTime(created))}  ${paint(type.padEnd(WIDTH))}  ${said}`;
}
