/** The OpenAPI document of a node that does not run: put together like one, on an empty database in memory. */

import { SEED_BYTES } from '../../protocol/credential/ed25519.ts';
import { buildAgentCard } from '../../protocol/wire/agentCard.ts';
import { readJsonAsset } from '../assets/assets.ts';
import { openapiDocument } from '../documents/openapi/document.ts';
import { isDocumented, openRoutes } from '../rest/openRoutes.ts';
import { openStore } from '../store/open.ts';
import type { Config } from './config.ts';
import { makeDeps, makeLogger } from './makeDeps.ts';
import { version } from './version.ts';

export async function describeOffline(config: Config): Promise<object> {
  const baseUrl = config.baseUrl ?? `http://localhost:${config.port}`;
  const store = await openStore({ file: ':memory:', clock: () => 0 });
  try {
    // It signs nothing; the same document comes out every time.
    const key = { seed: new Uint8Array(SEED_BYTES), retired: [], created: false };
    const deps = makeDeps(config, makeLogger('silent'), key, store, baseUrl);
    const card = buildAgentCard(readJsonAsset('agent-card.json'), { baseUrl, did: deps.issuer.did, version });
    const routes = openRoutes(deps, { card, openrpc: {}, isServing: () => true });
    return openapiDocument({ baseUrl, version: card.version }, routes.filter(isDocumented));
  } finally {
    await store.close();
  }
}
