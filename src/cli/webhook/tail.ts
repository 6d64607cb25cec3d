/** `countersign tail`: the events of a node, shown as they happen. */
import type { Client } from '../../../client/rest.ts';
import type { WebhookEvent, WebhookEventType } from '../../../protocol/webhook/event.ts';
import { inertText } from '../../../protocol/wire/plainText.ts';
import { subjectOf } from '../evidence/readEvidence.ts';
import { colour } from '../output/colour.ts';
import { localTime } from '../output/layout.ts';
import { endWithReader } from '../output/print.ts';
import { agentNames } from '../target/names.ts';
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
