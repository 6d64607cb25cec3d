/** `countersign playground`: agents that shop by themselves, at a pace that a person can read, until they are stopped. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Client, CountersignError, countersign, makeAgent } from '../../../client/index.ts';
import { inertText } from '../../../protocol/wire/plainText.ts';
import { readConfig } from '../../node/config/config.ts';
import { startNode } from '../../node/startNode.ts';
import { CommandRefusal, WrongUse } from '../commandFailure.ts';
import { configOf } from '../input/configOf.ts';
import { colour } from '../output/print.ts';
import { diceOf } from '../seed/dice.ts';
import { explained, withTarget } from '../target/withTarget.ts';
import { deal } from './deck.ts';
import { nodeHere } from './nodeHere.ts';
import { type PlayedEnd, playStory, type Stage, type Tone } from './playStory.ts';
import { closePlayground, MOST_SHOPPERS, makePlayground } from './shoppers.ts';

interface Options {
  readonly url?: string;
  readonly key?: string;
  /** Seconds between two steps. */
  readonly pace: number;
  readonly agents: number;
  readonly purchases?: number;
  /** Plays on a node of its own, also where one runs here. */
  readonly own?: boolean;
}

/** @throws CommandRefusal on a production node, Unreachable and WrongUse as every command that is given an address */
export async function playground(env: NodeJS.ProcessEnv, options: Options): Promise<void> {
  if (options.agents > MOST_SHOPPERS) throw new WrongUse(`There are ${MOST_SHOPPERS} agents at most.`);
  const stopped = new AbortController();
  const stop = () => stopped.abort();
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, stop);
  // Such as a reader like `head` that has seen enough.
  process.stdout.on('error', stop);
  try {
    const address = options.url ?? env['COUNTERSIGN_URL'];
    if (address === undefined) await onThisMachine(env, options, stopped.signal);
    else
      await withTarget(env, options, ({ client }) =>
        play(client, address.replace(/\/+$/, ''), options, stopped.signal),
      );
  } finally {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.off(signal, stop);
    process.stdout.off('error', stop);
  }
}

/** At the node that serves the data folder; on one of its own where none does. */
async function onThisMachine(env: NodeJS.ProcessEnv, options: Options, signal: AbortSignal): Promise<void> {
  const here = options.own === true ? undefined : await nodeHere(configOf(env));
  if (here === undefined) return onOwnNode(env, options, signal);
  const { address, owner, close } = here;
  try {
    console.log(`At the node that runs here. Watch in its console: ${colour.bold(`${address}/console/`)}\n`);
    await play(owner, address, options, signal);
  } catch (error) {
    throw explained(error, address);
  } finally {
    await close();
  }
}

/** A sandbox node for as long as they play, whose data are gone afterwards. */
async function onOwnNode(env: NodeJS.ProcessEnv, options: Options, signal: AbortSignal): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), 'countersign-playground-'));
  const settings = { DATA_DIR: dataDir, PORT: env['PORT'] ?? '0', LOG_LEVEL: 'silent' };
  const node = await startNode(readConfig(settings));
  try {
    console.log(`A sandbox node of its own. Watch in the console: ${colour.bold(node.welcome ?? node.baseUrl)}\n`);
    const client = countersign({ baseUrl: node.address, credential: { apiKey: node.newKey ?? '' } });
    await play(client, node.address, options, signal);
  } finally {
    await node.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}

async function play(owner: Client, address: string, options: Options, signal: AbortSignal): Promise<void> {
  // Asks for the permission that all of it takes, before any agent is registered.
  await owner.listWebhooks({ limit: 1 });
  await refuseProduction(owner);
  const ground = await makePlayground(owner, address, options.agents);
  const ends = new Map<PlayedEnd, number>();
  try {
    const dice = diceOf(Date.now());
    const pause = () => sleep(options.pace * 1000, undefined, { signal });
    const stage: Stage = { ...ground, dice, tell, pause, captured: [] };
    let left = options.purchases ?? Number.POSITIVE_INFINITY;
    for (const story of deal(dice)) {
      const end = await playStory(stage, story);
      ends.set(end, (ends.get(end) ?? 0) + 1);
      if (end !== undefined) left -= 1;
      if (left <= 0 || signal.aborted) break;
      console.log();
      await pause();
    }
  } catch (error) {
    // What is under way ends where it is: the node keeps it as it would for an agent that is gone.
    if (!signal.aborted) throw error;
  } finally {
    await closePlayground(ground);
  }
  ends.delete(undefined);
  const told = [...ends].map(([end, count]) => `${count} ${end}`).join(', ');
  console.log(`\n${told === '' ? 'Nothing was bought' : told}. The agents are revoked.`);
}

/** The demo shop exists in sandboxes alone. */
async function refuseProduction(owner: Client): Promise<void> {
  const offer = { payerDid: makeAgent().did, domain: 'shop.example', amount: 1, currency: 'USD' };
  await owner.demoCart(offer).catch((error: unknown) => {
    if (!(error instanceof CountersignError) || error.code !== 'NOT_FOUND') throw error;
    throw new CommandRefusal('FORBIDDEN', 'Agents play in a sandbox alone, and this is a production node.');
  });
}

const MARKS: Readonly<Record<Tone, string>> = {
  plain: colour.dim('·'),
  good: colour.green('✓'),
  bad: colour.red('✗'),
  asks: colour.yellow('?'),
};

function tell(tone: Tone, sentence: string): void {
  console.log(`${colour.dim(timeOfDay(new Date()))}  ${MARKS[tone]} ${inertText(sentence)}`);
}

/** Of this machine's time zone, such as 14:05:09. */
function timeOfDay(at: Date): string {
  return [at.getHours(), at.getMinutes(), at.getSeconds()].map((part) => String(part).padStart(2, '0')).join(':');
}
