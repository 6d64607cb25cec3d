/** `countersign webhook`: subscriptions and the delivery log, at a running node or in the data folder. */
import { Command } from 'commander';
import pc from 'picocolors';
import { WEBHOOK_EVENTS } from '../../../protocol/webhook/event.ts';
import {
  CreateWebhook,
  type NewWebhook,
  type Webhook,
  type WebhookLog,
  type WebhookLogPage,
} from '../../../protocol/webhook/subscription.ts';
import type { Page } from '../../../protocol/wire/page.ts';
import { PageRequest } from '../../../protocol/wire/page.ts';
import { parseInput } from '../../handlers/core/parseInput.ts';
import { call } from '../../handlers/core/useCase.ts';
import { createWebhook, deleteWebhook, listWebhooks } from '../../handlers/webhooks/manageWebhooks.ts';
import { listWebhookLogs } from '../../handlers/webhooks/webhookLogs.ts';
import { print, reach, type Where, whereOptions } from '../target/reach.ts';
import { addChanges } from './manageWebhook.ts';

const HOOKS = '/ap2/admin/webhooks';

export function webhookCommand(env: NodeJS.ProcessEnv): Command {
  const command = new Command('webhook').description('Subscribe addresses to events, and see what was delivered.');
  const sub = (name: string, description: string) =>
    whereOptions(command.command(name), 'admin').description(description);

  sub('create <url>', 'Subscribe an address and show its secret, this once.')
    .option('--events <list>', 'comma-separated; all of them when not given', WEBHOOK_EVENTS.join(','))
    .option('--secret <secret>', 'sign with this secret instead of a new one')
    .action(async (url: string, options: Where & { events: string; secret?: string }) => {
      const input = parseInput(CreateWebhook, {
        url,
        events: options.events.split(',').map((event) => event.trim()),
        ...(options.secret === undefined ? {} : { secret: options.secret }),
      });
      const made = await reach<NewWebhook>(env, options, {
        node: async (ask) => (await ask('POST', HOOKS, input)) as NewWebhook,
        folder: (deps, caller) => call(createWebhook.run, deps, caller, input),
      });
      print(options, made, `${pc.bold(made.secret)}\n${made.id} posts to ${made.url}; its secret is shown this once.`);
    });
  sub('list', 'List subscriptions, newest first.').action(async (options: Where) => {
    const { data } = await reach<Page<Webhook>>(env, options, {
      node: async (ask) => (await ask('GET', `${HOOKS}?limit=200`)) as Page<Webhook>,
      folder: (deps, caller) => call(listWebhooks.run, deps, caller, parseInput(PageRequest, { limit: 200 })),
    });
    print(options, data, data.length === 0 ? 'There are none.' : data.map(lineOf).join('\n'));
  });
  sub('delete <id>', 'Delete a subscription and what was still to be delivered.').action(
    async (id: string, options: Where) => {
      await reach<void>(env, options, {
        node: async (ask) => void (await ask('DELETE', `${HOOKS}/${encodeURIComponent(id)}`)),
        folder: async (deps, caller) => void (await call(deleteWebhook.run, deps, caller, { id })),
      });
      print(options, { id, deleted: true }, `${id} is deleted.`);
    },
  );
  sub('logs', 'List attempts, newest first.')
    .option('--webhook <id>', 'only of this subscription')
    .option('--limit <count>', 'how many, at most 200', '50')
    .action(async (options: Where & { webhook?: string; limit: string }) => {
      const asked = { limit: options.limit, ...(options.webhook === undefined ? {} : { webhookId: options.webhook }) };
      const { logs } = await reach<WebhookLogPage>(env, options, {
        node: async (ask) => (await ask('GET', `${HOOKS}/logs?${new URLSearchParams(asked)}`)) as WebhookLogPage,
        folder: (deps, caller) => call(listWebhookLogs.run, deps, caller, parseInput(listWebhookLogs.input, asked)),
      });
      print(options, logs, logs.length === 0 ? 'There are none.' : logs.map(attemptLine).join('\n'));
    });
  sub('test <id>', 'Have a node post a signed sample, and see how that goes.')
    .option('--event <type>', 'which event; the first that is subscribed to when not given')
    .action((id: string, options: Where & { event?: string }) =>
      deliverNow(env, options, `${HOOKS}/${encodeURIComponent(id)}/test`, options.event),
    );
  sub('resend <log-id>', 'Have a node post the event of a log record once more.').action((id: string, options: Where) =>
    deliverNow(env, options, `${HOOKS}/logs/${encodeURIComponent(id)}/resend`),
  );
  addChanges(command, env);
  return command;
}

async function deliverNow(env: NodeJS.ProcessEnv, where: Where, path: string, event?: string): Promise<void> {
  const log = await reach<WebhookLog>(env, where, {
    node: async (ask) => (await ask('POST', path, event === undefined ? {} : { event })) as WebhookLog,
    folder: async () => {
      throw new Error('It is a running node that delivers: name it with --url, or set COUNTERSIGN_URL.');
    },
  });
  print(where, log, attemptLine(log));
  if (log.outcome !== 'delivered') process.exitCode = 1;
}

function lineOf({ id, status, disabledReason, url, events }: Webhook): string {
  const state = disabledReason === undefined ? status : `${status} (${disabledReason})`;
  return `${id}  ${state.padEnd(18)}  ${url}  ${events.length === WEBHOOK_EVENTS.length ? 'all events' : events.join(',')}`;
}

function attemptLine(log: WebhookLog): string {
  const result = log.error === undefined || log.error === 'status' ? String(log.status) : log.error;
  const outcome = log.outcome === 'delivered' ? pc.green(log.outcome) : pc.red(log.outcome);
  return `${log.id}  ${log.deliveredAt}  ${outcome} ${result} in ${log.duration} ms  ${log.eventType}  ${log.url}`;
}
