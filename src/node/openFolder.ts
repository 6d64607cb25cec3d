/** A node's data without the node: for commands that work on the data folder while nothing, or something else, serves it. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Caller } from '../access/caller.ts';
import { PERMISSIONS } from '../access/caller.ts';
import { FIRST_TENANT } from '../domain/access/firstTenant.ts';
import { refuseEmptied } from '../maintenance/damage.ts';
import { refuseMoved } from '../maintenance/moved.ts';
import { refuseHalfRestored } from '../maintenance/restoreMark.ts';
import { openCurrentStore } from '../store/openStore.ts';
import { findSetting } from '../store/statements/node/settings.ts';
import type { Deps } from '../usecase/deps.ts';
import { checkpointFile } from './checkpointFile.ts';
import type { Config } from './config/config.ts';
import { checkEnvironment } from './databaseEnvironment.ts';
import { folderOf } from './folderOf.ts';
import { makeDeps } from './makeDeps.ts';
import { makeLogger } from './makeLogger.ts';
import { openExistingKeys } from './openKeys.ts';

interface Offline {
  readonly deps: Deps;
  /** Who has the data folder has every permission in its first tenant. */
  readonly caller: Caller;
  close(): Promise<void>;
}

/**
 * @param clock milliseconds since the epoch
 * @throws Error when no node was ever started on this data folder
 */
export async function openOffline(config: Config, clock: () => number = Date.now): Promise<Offline> {
  const fresh = new Error(
    `No node was started on ${config.dataDir} yet: start one with "countersign serve", or name a running one with --url.`,
  );
  refuseHalfRestored(config.dataDir);
  const file = join(config.dataDir, 'countersign.db');
  if (!existsSync(config.issuerKeyFile) || (config.databaseUrl === undefined && !existsSync(file))) throw fresh;
  if (config.databaseUrl === undefined) refuseEmptied(config.dataDir, file, config.issuerKeyFile);
  const store = await openCurrentStore({
    databaseUrl: config.databaseUrl,
    file,
    clock,
  });
  try {
    const tenantId = await store.read(() => findSetting(FIRST_TENANT));
    if (tenantId === undefined) throw fresh;
    await checkEnvironment(config, store);
    await refuseMoved(store);
    const deps = await makeDeps(config, {
      isOffline: true,
      logger: makeLogger(config.logLevel),
      ...(await openExistingKeys(config, store)),
      store,
      checkpoints: checkpointFile(config.dataDir),
      ...folderOf(config, new AbortController().signal),
      baseUrl: config.baseUrl ?? `http://localhost:${config.port}`,
      clock,
    });
    const caller: Caller = { id: 'command line', kind: 'node', tenantId, permissions: new Set(PERMISSIONS) };
    return { deps, caller, close: () => store.close() };
  } catch (error) {
    await store.close();
    throw error;
  }
}
