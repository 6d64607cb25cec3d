/** What `countersign webhook` does with subscriptions and deliveries at a node. */
import type { Webhook, WebhookLog } from '../../../client/operations.ts';
import type { WebhookEventType } from '../../../protocol/webhook/event.ts';
import { compact } from '../../../protocol/wire/compact.ts';
import { EVENT_TYPES } from '../input/closedLists.ts';
import { type Cell, columns, localTime, statusCell } from '../output/layout.ts';
import { colour, print } from '../output/print.ts';
import { newest } from '../target/names.ts';
import type { TargetOptions } from '../target/targetOptions.ts';
import { type Target, withTarget } from '../target/withTarget.ts';

type Env = NodeJS.ProcessEnv;

interface CreateOptions extends TargetOptions {
  readonly events: readonly WebhookEventType[];
  readonly secret?: string;
}

export function createWebhook(env: Env, url: string, options: CreateOptions): Promise<void> {
  const { events, secret } = options;
  return withTarget(env, options, async ({ client }) => {
    const made = await client.createWebhook({ url, events, ...compact({ secret }) });
    const text = `${colour.bold(made.secret)}\n${made.id} posts to ${made.url}; its secret is shown this once.`;
    print(options, made, text);
  });
}

export function listWebhooks(env: Env, options: TargetOptions): Promise<void> {
  return withTarget(env, options, async ({ client }) => {
    const webhooks = await newest(Number.POSITIVE_INFINITY, (page) => client.listWebhooks(page));
    print(options, webhooks, columns(['WEBHOOK', 'STATUS', 'SINCE', 'URL', 'EVENTS'], webhooks.map(webhookRow)));
  });
}

export function pauseWebhook(env: Env, id: string, options: TargetOptions): Promise<void> {
  return setStatus(env, id, 'DISABLED', options);
}

export function resumeWebhook(env: Env, id: string, options: TargetOptions): Promise<void> {
  return setStatus(env, id, 'ACTIVE', options);
}

function setStatus(env: Env, id: string, status: Webhook['status'], options: TargetOptions): Promise<void> {
  return withTarget(env, options, async ({ client }) => {
    const changed = await client.updateWebhook({ id, status });
    print(options, changed, `${changed.id} is ${changed.status}.`);
  });
}

export function rotateSecret(env: Env, id: string, options: TargetOptions): Promise<void> {
  return withTarget(env, options, async ({ client }) => {
    const made = await client.rotateWebhookSecret({ id });
    print(options, made, `${colour.bold(made.secret)}\nsigns for ${made.id} from now on; shown this once.`);
  });
}

export function deleteWebhook(env: Env, id: string, options: TargetOptions): Promise<void> {
  return withTarget(env, options, async ({ client }) => {
    await client.deleteWebhook({ id });
    print(options, { id, deleted: true }, `${id} is deleted.`);
  });
}

interface LogOptions extends TargetOptions {
  readonly webhook?: string;
  readonly event?: string;
  readonly limit: number;
}

export function listAttempts(env: Env, options: LogOptions): Promise<void> {
  const chosen = compact({ webhookId: options.webhook, eventId: options.event });
  return withTarget(env, options, async ({ client }) => {
    const logs = await newest(options.limit, async (page) => {
      const { logs: data, cursor } = await client.listWebhookLogs({ ...page, ...chosen });
      return { data, cursor };
    });
    print(
      options,
      logs,
      columns(['ATTEMPT', 'WHEN', 'OUTCOME', 'ANSWER', 'TOOK', 'EVENT', 'URL'], logs.map(attemptRow)),
    );
  });
}

export function showAttempt(env: Env, id: string, options: TargetOptions): Promise<void> {
  return withTarget(env, options, async ({ client }) => {
    const found = await client.getWebhookLog({ id });
    const { request = 'It is kept no longer.', answer = 'There was none.' } = found;
    print(
      options,
      found,
      [attemptLine(found), colour.bold('Posted'), request, colour.bold('Answered'), answer].join('\n'),
    );
  });
}

interface SampleOptions extends TargetOptions {
  readonly event?: WebhookEventType;
}

export function deliverSample(env: Env, id: string, options: SampleOptions): Promise<void> {
  return deliver(env, options, (client) => client.testWebhook({ id, ...compact({ event: options.event }) }));
}

export function deliverAgain(env: Env, id: string, options: TargetOptions): Promise<void> {
  return deliver(env, options, (client) => client.resendWebhook({ id }));
}

function deliver(
  env: Env,
  options: TargetOptions,
  post: (client: Target['client']) => Promise<WebhookLog>,
): Promise<void> {
  const run = async ({ client }: Target) => {
    const log = await post(client);
    print(options, log, attemptLine(log));
    if (log.outcome !== 'delivered') process.exitCode = 1;
  };
  return withTarget(env, options, run, { runningNode: 'Only a running node delivers.' });
}

function webhookRow({ id, status, disabledReason, createdAt, url, events }: Webhook): Cell[] {
  const state = disabledReason === undefined ? statusCell(status) : `${status} (${disabledReason})`;
  const told = events.length === EVENT_TYPES.length ? 'all events' : events.join(',');
  return [id, state, localTime(createdAt), url, told];
}

function attemptRow(log: WebhookLog): Cell[] {
  const { id, deliveredAt, duration, eventType, url } = log;
  return [id, localTime(deliveredAt), outcomeCell(log), resultOf(log), `${duration} ms`, eventType, url];
}

function outcomeCell({ outcome }: WebhookLog): Cell {
  return { text: outcome, paint: outcome === 'delivered' ? colour.green : colour.red };
}

function resultOf({ error, status }: WebhookLog): string {
  return error === undefined || error === 'status' ? String(status) : error;
}

function attemptLine(log: WebhookLog): string {
  const outcome = log.outcome === 'delivered' ? colour.green(log.outcome) : colour.red(log.outcome);
  return `${log.id}  ${localTime(log.deliveredAt)}  ${outcome} ${resultOf(log)} in ${log.duration} ms  ${log.eventType}  ${log.url}`;
}
