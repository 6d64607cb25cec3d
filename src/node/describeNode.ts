/** The OpenAPI document of a node that does not run: put together like one, on an empty database in memory. */

import { SEED_BYTES } from '../../protocol/credential/ed25519.ts';
import { openapiDocument } from '../documents/openapi/document.ts';
import { isDocumented } from '../rest/openRoutes.ts';
import { openStore } from '../store/openStore.ts';
import type { Config } from './config.ts';
import { makeDeps, makeLogger } from './makeDeps.ts';
import { nodeRoutes } from './nodeRoutes.ts';
import { version } from './version.ts';

export async function describeNode(config: Config): Promise<object> {
  const baseUrl = config.baseUrl ?? `http://localhost:${config.port}`;
  const store = await openStore({ file: ':memory:', clock: () => 0 });
  try {
    // The keys sign and seal nothing here; fixed ones make the document reproducible.
    const root = new Uint8Array(SEED_BYTES);
    const key = { seed: root, rotations: [] };
    const deps = makeDeps(config, { logger: makeLogger('silent'), key, root, store, baseUrl, clock: () => 0 });
    const routes = nodeRoutes(deps, () => true);
    return openapiDocument({ baseUrl, version }, routes.filter(isDocumented));
  } finally {
    await store.close();
  }
}
