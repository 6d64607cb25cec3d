/** `countersign tail`: the events of a node, shown as they happen. */
import type { WebhookEvent, WebhookEventType } from '../../../protocol/webhook/event.ts';
import { subjectOf } from '../evidence/readEvidence.ts';
import { colour } from '../output/colour.ts';
import { localTime } from '../output/layout.ts';
import { endWithReader } from '../output/print.ts';
import type { TargetOptions } from '../target/targetOptions.ts';
import { withTarget } from '../target/withTarget.ts';
import { followEvents } from './followEvents.ts';

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
    for await (const event of followEvents(client, cursor, options.types)) {
      console.log(options.json === true ? JSON.stringify(event) : lineOf(event));
      left -= 1;
      if (left === 0) return;
    }
  });
}

function lineOf({ type, created, data }: WebhookEvent): string {
  const paint = /denied|failed|rejected|revoked|suspended|disputed|violation/.test(type) ? colour.red : colour.green;
  const link = typeof data.url === 'string' ? ` ${data.url}` : '';
  return `${colour.dim(localTime(created))}  ${paint(type.padEnd(18))}  ${subjectOf(data)}${link}`;
}
