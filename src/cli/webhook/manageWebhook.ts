/** `countersign webhook pause|resume|rotate-secret`: what an owner changes about a subscription. */
import type { Command } from 'commander';
import pc from 'picocolors';
import type { NewWebhook, Webhook } from '../../../protocol/webhook/subscription.ts';
import { call } from '../../handlers/core/useCase.ts';
import { rotateWebhookSecret, updateWebhook } from '../../handlers/webhooks/manageWebhooks.ts';
import { print, reach, type Where, whereOptions } from '../target/reach.ts';

export function addChanges(command: Command, env: NodeJS.ProcessEnv): void {
  const sub = (name: string, description: string) =>
    whereOptions(command.command(name), 'admin').description(description);
  const setStatus = async (id: string, status: Webhook['status'], options: Where) => {
    const changed = await reach<Webhook>(env, options, {
      node: async (ask) => (await ask('PUT', pathOf(id), { status })) as Webhook,
      folder: (deps, caller) => call(updateWebhook.run, deps, caller, { id, status }),
    });
    print(options, changed, `${changed.id} is ${changed.status}.`);
  };

  sub('pause <id>', 'Deliver nothing until it is resumed; what happens meanwhile is held.').action(
    (id: string, options: Where) => setStatus(id, 'DISABLED', options),
  );
  sub('resume <id>', 'Deliver again, what was held first.').action((id: string, options: Where) =>
    setStatus(id, 'ACTIVE', options),
  );
  sub('rotate-secret <id>', 'Make a new secret and show it, this once; the old one signs too for 24 hours.').action(
    async (id: string, options: Where) => {
      const made = await reach<NewWebhook>(env, options, {
        node: async (ask) => (await ask('POST', `${pathOf(id)}/rotate-secret`, {})) as NewWebhook,
        folder: (deps, caller) => call(rotateWebhookSecret.run, deps, caller, { id }),
      });
      print(options, made, `${pc.bold(made.secret)}\nsigns for ${made.id} from now on; shown this once.`);
    },
  );
}

const pathOf = (id: string) => `/ap2/admin/webhooks/${encodeURIComponent(id)}`;
