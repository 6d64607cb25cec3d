/** `countersign tail`: what happens at a node, as it happens. */
import { Command } from 'commander';
import type { WebhookEvent } from '../../../protocol/webhook/event.ts';
import type { EventTail } from '../../../protocol/webhook/subscription.ts';
import { sayingOf } from '../evidence/read.ts';
import { wholeNumber } from '../input/numbers.ts';
import { colour } from '../output/colour.ts';
import { localTime } from '../output/layout.ts';
import { endWithReader } from '../output/pipe.ts';
import { type NodeAccess, withNode } from '../target/nodeAccess.ts';
import type { Where } from '../target/reach.ts';
import { whereOptions } from '../target/reach.ts';

interface TailOptions extends Where {
  readonly types?: string;
  readonly count?: string;
}

/** Below the patience of the client for one answer. */
const WAIT_SECONDS = 20;
const PAUSE_MS = 2000;

export function tailCommand(env: NodeJS.ProcessEnv): Command {
  return whereOptions(new Command('tail'), 'admin')
    .description('Show events as they happen, one a line, until Ctrl-C.')
    .option('--types <list>', 'only these, such as intent.denied,payment.failed')
    .option('--count <number>', 'end after so many')
    .action((options: TailOptions) => withNode(env, options, (node) => follow(node.client, options)));
}

async function follow(client: NodeAccess['client'], options: TailOptions): Promise<void> {
  endWithReader();
  const wanted = options.types?.split(',').map((type) => type.trim());
  let left = options.count === undefined ? Number.POSITIVE_INFINITY : wholeNumber(options.count, '--count');
  // The first question must succeed; a node that goes away later may come back.
  let { cursor } = await client.tailEvents();
  if (options.json !== true) console.error(colour.dim('Following events; end with Ctrl-C.'));
  while (left > 0) {
    const tail = await client.tailEvents({ cursor, wait: WAIT_SECONDS }).catch(async (error: unknown) => {
      if (!mayPass(error)) throw error;
      console.error('No node answers for now; trying again.');
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
      return { cursor, events: [] };
    });
    cursor = tail.cursor;
    for (const event of tail.events as EventTail['events']) {
      if (wanted?.includes(event.type) === false || left === 0) continue;
      left -= 1;
      console.log(options.json === true ? JSON.stringify(event) : lineOf(event));
    }
  }
}

function mayPass(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return code === 'NETWORK' || code === 'UNAVAILABLE' || code === 'INVALID_ANSWER';
}

function lineOf({ type, created, data }: WebhookEvent): string {
  const paint = /denied|failed|rejected|revoked|disputed|violation/.test(type) ? colour.red : colour.green;
  return `${colour.dim(localTime(created))}  ${paint(type.padEnd(18))}  ${sayingOf(data)}`;
}
