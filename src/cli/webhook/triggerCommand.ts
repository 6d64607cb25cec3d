/** `countersign trigger`: has a sandbox node do what really causes an event. */
import { Argument, Command } from 'commander';
import { WEBHOOK_EVENTS, type WebhookEventType } from '../../../protocol/webhook/event.ts';
import { print } from '../output/print.ts';
import { DEFAULT_URL, type TargetOptions, targetOptions } from '../target/targetOptions.ts';
import { withTarget } from '../target/withTarget.ts';
import { causeEvent } from './causeEvent.ts';

export function triggerCommand(env: NodeJS.ProcessEnv): Command {
  return targetOptions(new Command('trigger'), 'read, write and admin')
    .description('Cause an event in a sandbox node, by what really causes it.')
    .addArgument(new Argument('<event>', 'which one').choices(WEBHOOK_EVENTS))
    .action((event: WebhookEventType, options: TargetOptions) =>
      withTarget(
        env,
        options,
        async ({ client }) => {
          const agentDid = await causeEvent(client, event);
          print(options, { event, agentDid }, `${event} was caused, by the agent ${agentDid}.`);
        },
        { defaultUrl: DEFAULT_URL },
      ),
    );
}
