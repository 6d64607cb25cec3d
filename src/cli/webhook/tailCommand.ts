/** `countersign tail`: what happens at a node, as it happens. */
import { Command } from 'commander';
import type { WebhookEvent } from '../../../protocol/webhook/event.ts';
import { sayingOf } from '../evidence/read.ts';
import { wholeNumber } from '../input/numbers.ts';
import { colour } from '../output/colour.ts';
import { localTime } from '../output/layout.ts';
import { endWithReader } from '../output/pipe.ts';
import { type TargetOptions, targetOptions } from '../target/targetOptions.ts';
import { type Target, withTarget } from '../target/withTarget.ts';
import { followEvents } from './followEvents.ts';

interface TailOptions extends TargetOptions {
  readonly types?: string;
  readonly count?: string;
}

export function tailCommand(env: NodeJS.ProcessEnv): Command {
  return targetOptions(new Command('tail'), 'admin')
    .description('Show events as they happen, one a line, until Ctrl-C.')
    .option('--types <list>', 'only these, such as intent.denied,payment.failed')
    .option('--count <number>', 'end after so many')
    .action((options: TailOptions) => withTarget(env, options, ({ client }) => follow(client, options)));
}

async function follow(client: Target['client'], options: TailOptions): Promise<void> {
  endWithReader();
  const wanted = options.types?.split(',').map((type) => type.trim());
  let left = options.count === undefined ? Number.POSITIVE_INFINITY : wholeNumber(options.count, '--count');
  const { cursor } = await client.tailEvents();
  if (options.json !== true) console.error(colour.dim('Following events; end with Ctrl-C.'));
  for await (const event of followEvents(client, cursor)) {
    if (wanted?.includes(event.type) === false) continue;
    console.log(options.json === true ? JSON.stringify(event) : lineOf(event));
    left -= 1;
    if (left === 0) return;
  }
}

function lineOf({ type, created, data }: WebhookEvent): string {
  const paint = /denied|failed|rejected|revoked|disputed|violation/.test(type) ? colour.red : colour.green;
  return `${colour.dim(localTime(created))}  ${paint(type.padEnd(18))}  ${sayingOf(data)}`;
}
