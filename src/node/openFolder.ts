/** A node's data without the node: for commands that work on the data folder while nothing, or something else, serves it. */
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Caller } from '../access/caller.ts';
import { PERMISSIONS } from '../access/caller.ts';
import { loadIssuerKey } from '../crypto/issuerKey.ts';
import type { Deps } from '../handlers/core/deps.ts';
import { FIRST_TENANT } from '../handlers/operator/bootstrap.ts';
import { openStore } from '../store/openStore.ts';
import { findSetting } from '../store/statements/node/settings.ts';
import type { Config } from './config.ts';
import { makeDeps, makeLogger } from './makeDeps.ts';

interface Offline {
  readonly deps: Deps;
  /** Who has the data folder has every permission in its first tenant. */
  readonly caller: Caller;
  close(): Promise<void>;
}

/** @throws Error when no node was ever started on this data folder */
export async function openOffline(config: Config): Promise<Offline> {
  const fresh = new Error(
    `No node was started on ${config.dataDir} yet: start one with "countersign serve", or name a running one with --url.`,
  );
  if (!existsSync(config.issuerKeyFile)) throw fresh;
  const key = loadIssuerKey(config.issuerKeyFile, (size) => randomBytes(size));
  const store = await openStore({
    databaseUrl: config.databaseUrl,
    file: join(config.dataDir, 'countersign.db'),
    clock: Date.now,
  });
  const deps = makeDeps(config, {
    logger: makeLogger(config.logLevel),
    key,
    store,
    baseUrl: config.baseUrl ?? `http://localhost:${config.port}`,
    clock: Date.now,
  });
  const tenantId = await store.read(() => findSetting(FIRST_TENANT));
  if (tenantId === undefined) {
    await store.close();
    throw fresh;
  }
  const caller: Caller = { id: 'command line', kind: 'node', tenantId, permissions: new Set(PERMISSIONS) };
  return { deps, caller, close: () => store.close() };
}
