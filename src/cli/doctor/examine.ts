/** `countersign doctor`: checks everything a node depends on, and names the remedy of each fault. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { nativeSuite } from '../../crypto/nativeSuite.ts';
import { checkDeliveries, checkEndpoints, checkPayments } from '../../domain/checks/overdue.ts';
import { checkPolicies } from '../../domain/checks/policyInForce.ts';
import { DATABASE } from '../../maintenance/manifest.ts';
import { type Config, ConfigError, readConfig } from '../../node/config/config.ts';
import { examinersOf } from '../../node/config/extensionConfig.ts';
import { readableText, readSettings } from '../../node/config/settingLayers.ts';
import type { Store } from '../../store/store.ts';
import { type Finding, fault, ok, warning } from '../../usecase/finding.ts';
import { reasonOf } from '../commandFailure.ts';
import { keyOf } from '../input/configOf.ts';
import { colour, print } from '../output/print.ts';
import {
  checkChains,
  checkKeptCheckpoints,
  checkMoved,
  checkOwner,
  checkRoot,
  checkSchema,
  checkWorld,
  neverStarted,
  openUnchanged,
} from './database.ts';
import { checkFolder, checkKey, checkReceiptKey, checkSpace, type KeyCheck } from './dataFolder.ts';
import { checkClock, checkPasskeys, checkRails } from './environment.ts';
import { lookAtNode } from './node.ts';

interface DoctorOptions {
  readonly url?: string;
  /** Of a profile. */
  readonly key?: string;
  readonly json?: boolean;
}

export async function runDoctor(env: NodeJS.ProcessEnv, options: DoctorOptions): Promise<void> {
  const own = options.key === undefined ? env : { ...env, COUNTERSIGN_API_KEY: options.key };
  const findings = await examine(own, options.url ?? env['COUNTERSIGN_URL'], Date.now);
  const healthy = findings.every(({ level }) => level !== 'fault');
  print(options, { healthy, findings }, findings.map(lineOf).join('\n'));
  if (!healthy) process.exitCode = 1;
}

/** @param url of the running node that is meant; without it the node is that of the data folder */
export async function examine(env: NodeJS.ProcessEnv, url: string | undefined, now: () => number): Promise<Finding[]> {
  let config: Config;
  let open: Finding[];
  try {
    const { values, readable } = readSettings(env);
    config = readConfig(values);
    open = readable.map((file) => warning('configuration', readableText(file), `chmod 600 ${file}`));
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    const remedy = 'correct that setting; see: countersign config check';
    return error.message.split('\n').map((line) => fault('configuration', line, remedy));
  }
  const settings = [ok('configuration', 'Every setting is valid.'), ...open];
  const isUsed = config.databaseUrl !== undefined || existsSync(join(config.dataDir, DATABASE));
  const key = checkKey(config, isUsed);
  if (url === undefined) {
    const address = config.baseUrl ?? `http://localhost:${config.port}`;
    return [...settings, ...(await examineFolder(config, key, isUsed, address, now))];
  }
  const { findings, card } = await lookAtNode(url, keyOf(env));
  const own = key.key && nativeSuite().signer(key.key.seed).did;
  // The folder here is another node's, or no node's: what is wrong with it says nothing about the node that is meant.
  if (card !== undefined && card.did !== own) return [...settings, ...findings, await checkClock(undefined, url, now)];
  const here = isUsed ? await examineFolder(config, key, isUsed, url, now) : [];
  return [...settings, ...findings, ...here.filter(({ check }) => card === undefined || check !== 'passkeys')];
}

/** @param address where the node may be listening, to compare clocks */
async function examineFolder(
  config: Config,
  key: KeyCheck,
  isUsed: boolean,
  address: string,
  now: () => number,
): Promise<Finding[]> {
  const findings = [
    checkFolder(config),
    key.finding,
    checkReceiptKey(config),
    checkSpace(config),
    checkPasskeys(config),
    ...(await checkRails(config)),
  ];
  if (!isUsed) return [...findings, neverStarted(config.dataDir), await checkClock(undefined, address, now)];
  const { store, findings: opened } = await openUnchanged(config);
  try {
    const clock = await checkClock(store, address, now);
    return [
      ...findings,
      clock,
      ...opened,
      ...(store === undefined ? [] : await checkDatabase(store, config, key, now())),
    ];
  } finally {
    await store?.close();
  }
}

async function checkDatabase(store: Store, config: Config, { key }: KeyCheck, now: number): Promise<Finding[]> {
  const suite = nativeSuite();
  const { finding, isCurrent } = await checkSchema(store);
  if (!isCurrent) return [finding];
  try {
    const owner = key === undefined ? undefined : await checkOwner(suite, store, key, config);
    return [
      finding,
      await checkWorld(store, config),
      await checkMoved(store),
      ...(key === undefined || owner === undefined ? [] : [owner, await checkRoot(store, config)]),
      await checkChains(suite, store, config),
      ...(key === undefined || owner?.level === 'fault' ? [] : [await checkKeptCheckpoints(suite, store, key, config)]),
      ...(await Promise.all(examinersOf(config).map((examine) => examine(store, now)))).flat(),
      await checkPolicies(store),
      await checkPayments(store, now),
      await checkDeliveries(store, now),
      await checkEndpoints(store, now),
    ];
  } catch (error) {
    return [finding, fault('database', reasonOf(error), `countersign restore FILE --data-dir ${config.dataDir}`)];
  }
}

function lineOf({ check, level, message, remedy }: Finding): string {
  const mark = level === 'ok' ? colour.green('✓') : level === 'warning' ? colour.yellow('!') : colour.red('✗');
  const line = `${mark} ${check.padEnd(13)}  ${message}`;
  return remedy === undefined ? line : `${line}\n  ${' '.repeat(13)}  ${colour.bold('→')} ${remedy}`;
}
