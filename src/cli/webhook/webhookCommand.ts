/** `countersign webhook`: subscriptions and the delivery log, at a running node or in the data folder. */
import { Command } from 'commander';
import pc from 'picocolors';
import type { Operations, Webhook, WebhookLog } from '../../../client/operations.ts';
import { WEBHOOK_EVENTS } from '../../../protocol/webhook/event.ts';
import { print } from '../output/print.ts';
import { DEFAULT_LIMIT, everyRecord, newest } from '../target/pages.ts';
import { type TargetOptions, targetOptions } from '../target/targetOptions.ts';
import { type Target, withTarget } from '../target/withTarget.ts';

type Events = NonNullable<Operations['createWebhook']['input']['events']>;
type Event = NonNullable<Operations['testWebhook']['input']['event']>;

const DELIVERS = { runningNode: 'Only a running node delivers.' };

export function webhookCommand(env: NodeJS.ProcessEnv): Command {
  const command = new Command('webhook').description('Subscribe addresses to events, and see what was delivered.');
  const sub = (name: string, description: string) =>
    targetOptions(command.command(name), 'admin').description(description);

  sub('create <url>', 'Subscribe an address and show its secret, this once.')
    .option('--events <list>', 'comma-separated; all of them when not given', WEBHOOK_EVENTS.join(','))
    .option('--secret <secret>', 'sign with this secret instead of a new one')
    .action((url: string, options: TargetOptions & { events: string; secret?: string }) =>
      withTarget(env, options, async ({ client }) => {
        const events = options.events.split(',').map((event) => event.trim()) as unknown as Events;
        const { secret } = options;
        const made = await client.createWebhook({ url, events, ...(secret !== undefined && { secret }) });
        const text = `${pc.bold(made.secret)}\n${made.id} posts to ${made.url}; its secret is shown this once.`;
        print(options, made, text);
      }),
    );
  sub('list', 'List subscriptions, newest first.').action((options: TargetOptions) =>
    withTarget(env, options, async ({ client }) => {
      const webhooks = await everyRecord((page) => client.listWebhooks(page));
      print(options, webhooks, webhooks.length === 0 ? 'There are none.' : webhooks.map(lineOf).join('\n'));
    }),
  );
  addChanges(command, env);
  sub('delete <id>', 'Delete a subscription and what was still to be delivered.').action(
    (id: string, options: TargetOptions) =>
      withTarget(env, options, async ({ client }) => {
        await client.deleteWebhook({ id });
        print(options, { id, deleted: true }, `${id} is deleted.`);
      }),
  );
  sub('logs', 'List attempts, newest first.')
    .option('--webhook <id>', 'only of this subscription')
    .option('--limit <count>', 'how many', DEFAULT_LIMIT)
    .action((options: TargetOptions & { webhook?: string; limit: string }) =>
      withTarget(env, options, async ({ client }) => {
        const { webhook: webhookId } = options;
        const logs = await newest(options.limit, async (page) => {
          const { logs: data, cursor } = await client.listWebhookLogs({ ...page, ...(webhookId && { webhookId }) });
          return { data, cursor };
        });
        print(options, logs, logs.length === 0 ? 'There are none.' : logs.map(attemptLine).join('\n'));
      }),
    );
  const deliver = (options: TargetOptions, post: (client: Target['client']) => Promise<WebhookLog>) =>
    withTarget(
      env,
      options,
      async ({ client }) => {
        const log = await post(client);
        print(options, log, attemptLine(log));
        if (log.outcome !== 'delivered') process.exitCode = 1;
      },
      DELIVERS,
    );
  sub('test <id>', 'Have a node post a signed sample, and see how that goes.')
    .option('--event <type>', 'which event; the first that is subscribed to when not given')
    .action((id: string, options: TargetOptions & { event?: Event }) =>
      deliver(options, (client) => client.testWebhook({ id, ...(options.event && { event: options.event }) })),
    );
  sub('resend <log-id>', 'Have a node post the event of a log record once more.').action(
    (id: string, options: TargetOptions) => deliver(options, (client) => client.resendWebhook({ id })),
  );
  return command;
}

function addChanges(command: Command, env: NodeJS.ProcessEnv): void {
  const sub = (name: string, description: string) =>
    targetOptions(command.command(name), 'admin').description(description);
  const setStatus = (id: string, status: Webhook['status'], options: TargetOptions) =>
    withTarget(env, options, async ({ client }) => {
      const changed = await client.updateWebhook({ id, status });
      print(options, changed, `${changed.id} is ${changed.status}.`);
    });

  sub('pause <id>', 'Deliver nothing until it is resumed; what happens meanwhile is held.').action(
    (id: string, options: TargetOptions) => setStatus(id, 'DISABLED', options),
  );
  sub('resume <id>', 'Deliver again, what was held first.').action((id: string, options: TargetOptions) =>
    setStatus(id, 'ACTIVE', options),
  );
  sub('rotate-secret <id>', 'Make a new secret and show it, this once; the old one signs too for 24 hours.').action(
    (id: string, options: TargetOptions) =>
      withTarget(env, options, async ({ client }) => {
        const made = await client.rotateWebhookSecret({ id });
        print(options, made, `${pc.bold(made.secret)}\nsigns for ${made.id} from now on; shown this once.`);
      }),
  );
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
