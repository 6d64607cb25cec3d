/** `countersign seed`: fills a stopped sandbox node with a month of purchases, so that its console looks lived-in. */
import { existsSync } from 'node:fs';
import type { Client } from '../../../client/rest.ts';
import { type Config, readConfig } from '../../node/config/config.ts';
import { openOffline } from '../../node/openFolder.ts';
import { startNode } from '../../node/startNode.ts';
import { databaseTime, isAnyNodeAlive } from '../../store/statements/node/nodes.ts';
import type { Deps } from '../../usecase/deps.ts';
import { NODE_LIFE_SECONDS } from '../../workers/heartbeat.ts';
import { CommandRefusal } from '../commandFailure.ts';
import { withConfig } from '../input/withConfig.ts';
import { print, progress } from '../output/print.ts';
import { folderClient } from '../target/folderClient.ts';
import { diceOf } from './dice.ts';
import { planMonth } from './planMonth.ts';
import { playMonth } from './playMonth.ts';
import { doDueWork, findOwnerDid, type SetClock, seededPerson } from './seededNode.ts';
import { countSeeded, seedText } from './seedReport.ts';

interface Options {
  readonly seed: number;
  readonly add?: boolean;
  readonly json?: boolean;
}

/** @throws CommandRefusal on a production node, on one that runs, and without --add on one that has purchases */
export function seed(env: NodeJS.ProcessEnv, options: Options): Promise<void> {
  return withConfig(env, async (config) => {
    if (config.environment !== 'sandbox') {
      throw new CommandRefusal('FORBIDDEN', 'Only a sandbox node is seeded, and AP2_ENV says production.');
    }
    const endsAt = Date.now();
    const plan = planMonth(diceOf(options.seed), endsAt);
    const own = ownConfig(config);
    const clock: SetClock = { now: plan.startsAt };
    if (!existsSync(own.issuerKeyFile)) await (await startNode(own, { time: () => clock.now })).stop();
    const { deps, caller, close } = await openOffline(own, () => clock.now);
    const bar = progress('Seeding');
    try {
      const client = folderClient(deps, caller);
      await refuseRunning(deps, endsAt);
      if (options.add !== true) await refuseFilled(client);
      const ownerDid = await findOwnerDid(deps, caller.tenantId);
      const month = { client, person: seededPerson(deps), ownerDid, clock, endsAt, doDueWork: () => doDueWork(deps) };
      const policy = await playMonth(month, plan, bar.at);
      bar.end();
      const report = await countSeeded(client);
      const text = seedText(report, policy, deps.settings.baseUrl, (Date.now() - endsAt) / 1000);
      print(options, { ...report, policy }, text);
      if (!report.evidence.valid) throw new CommandRefusal('FAILED', 'The evidence of what was seeded does not hold.');
    } finally {
      bar.end();
      await close();
    }
  });
}

/** As the node is configured, but that nothing leaves this machine: no extension has settings, and no login and no witness is asked. */
function ownConfig(config: Config): Config {
  const baseUrl = config.baseUrl ?? `http://localhost:${config.port}`;
  const { extensionSettings } = readConfig({ EXTENSIONS: config.extensions.join(',') || 'none' });
  const alone = { extensionSettings, oidc: undefined, gates: 0, logLevel: 'error' };
  return { ...config, ...alone, host: '127.0.0.1', port: 0, baseUrl };
}

/** Two clocks in one database would tell each other's work apart by time. */
async function refuseRunning({ store }: Deps, now: number): Promise<void> {
  const isAlive = await store.read(function* () {
    return yield* isAnyNodeAlive((yield* databaseTime(store.engine, now)) - NODE_LIFE_SECONDS * 1000);
  });
  if (isAlive) throw new CommandRefusal('CONFLICT', 'A node serves these data: stop it, seed, and start it again.');
}

async function refuseFilled(client: Client): Promise<void> {
  const { data } = await client.listIntents({ limit: 1 });
  if (data.length === 0) return;
  throw new CommandRefusal(
    'CONFLICT',
    'This node has purchases already. Give --add to put a month beside them, or name an empty folder by DATA_DIR.',
  );
}
