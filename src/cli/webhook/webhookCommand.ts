/** `countersign webhook`: what its commands take. */
import type { Command } from 'commander';
import { EVENT_TYPES } from '../input/closedLists.ts';
import { choice, choices, limit } from '../input/optionTypes.ts';
import { targetOptions } from '../target/targetOptions.ts';

export function declareWebhook(program: Command, env: NodeJS.ProcessEnv): void {
  const webhook = program.command('webhook').description('Subscribe endpoints to events, and show their deliveries.');
  const sub = (name: string) => targetOptions(webhook.command(name), 'admin');
  sub('create <url>')
    .description('Subscribe an endpoint, and show its secret this once.')
    .addOption(choices('--events <list>', 'which events', EVENT_TYPES).default(EVENT_TYPES, 'all'))
    .option('--secret <secret>', 'sign with this secret instead of a new one')
    .action(async (url, options) => (await import('./webhookActions.ts')).createWebhook(env, url, options));
  sub('list')
    .description('List subscriptions, newest first.')
    .action(async (options) => (await import('./webhookActions.ts')).listWebhooks(env, options));
  sub('pause <id>')
    .description('Pause a subscription: its events are kept for 7 days.')
    .action(async (id, options) => (await import('./webhookActions.ts')).pauseWebhook(env, id, options));
  sub('resume <id>')
    .description('Resume a subscription, and deliver what was kept, the oldest first.')
    .action(async (id, options) => (await import('./webhookActions.ts')).resumeWebhook(env, id, options));
  sub('rotate-secret <id>')
    .description('Make a new secret, and show it this once; the old one signs too for 24 hours.')
    .action(async (id, options) => (await import('./webhookActions.ts')).rotateSecret(env, id, options));
  sub('delete <id>')
    .description('Delete a subscription and its pending deliveries.')
    .action(async (id, options) => (await import('./webhookActions.ts')).deleteWebhook(env, id, options));
  sub('logs')
    .description('List delivery attempts, newest first.')
    .option('--webhook <id>', 'only of this subscription')
    .option('--event <id>', 'only of this event, or of several: the ids, separated by commas')
    .addOption(limit())
    .action(async (options) => (await import('./webhookActions.ts')).listAttempts(env, options));
  sub('attempt <log-id>')
    .description('Show one attempt: what was posted, and what was answered.')
    .action(async (id, options) => (await import('./webhookActions.ts')).showAttempt(env, id, options));
  sub('test <id>')
    .description('Deliver a signed sample from the node, and show the result; exit code 1 where it fails.')
    .addOption(choice('--event <type>', 'which event; the first subscribed one when not given', EVENT_TYPES))
    .action(async (id, options) => (await import('./webhookActions.ts')).deliverSample(env, id, options));
  sub('resend <log-id>')
    .description('Deliver the event of a logged attempt once more; exit code 1 where that fails.')
    .action(async (id, options) => (await import('./webhookActions.ts')).deliverAgain(env, id, options));
}
