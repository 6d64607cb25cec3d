/** What a node would serve that does not run: the documents describe it without a store, a key or a port. */
import { SEED_BYTES } from '../../protocol/credential/ed25519.ts';
import { accessTokens } from '../access/accessToken.ts';
import type { Core } from '../core/core.ts';
import { nativeSuite } from '../crypto/nativeSuite.ts';
import { sealer } from '../crypto/seal.ts';
import { openapiDocument } from '../documents/openapi/document.ts';
import { loadApi } from '../extensions/nodeOperations.ts';
import { isDocumented } from '../gates/pages/openRoutes.ts';
import type { OpenRoute } from '../gates/rest/openRoute.ts';
import { gateMetrics } from '../gates/shell/requestRecord.ts';
import type { Config } from './config/config.ts';
import { openRoutesOf } from './gate/nodeRoutes.ts';
import { makeGate } from './gate/openGate.ts';
import { logTo, makeLogger } from './makeLogger.ts';
import { nodeFacts } from './nodeFacts.ts';
import { version } from './version.ts';

export async function describeNode(config: Config): Promise<object> {
  const facts = { baseUrl: baseUrlOf(config), version };
  return openapiDocument(facts, await loadApi(config.extensions), describeRoutes(config).filter(isDocumented));
}

/** Every route of a node without a use case behind it; none of them answers. */
export function describeRoutes(config: Config): readonly OpenRoute[] {
  const baseUrl = baseUrlOf(config);
  // The key signs nothing here; a fixed one makes the documents reproducible.
  const seed = new Uint8Array(SEED_BYTES);
  const suite = nativeSuite();
  const issuer = suite.signer(seed);
  const { keySet } = accessTokens(issuer, seed, baseUrl);
  const keys = { keySet, keysUntil: {} };
  const facts = nodeFacts(config, { baseUrl, issuer, suite, sealer: sealer(seed), keys, startedAt: 0 });
  const core: Core = { call: () => Promise.reject(new Error('This node does not run.')) };
  return openRoutesOf(
    makeGate(config, { core, facts, log: logTo(makeLogger('silent')), metrics: gateMetrics(), isServing: () => false }),
  );
}

function baseUrlOf(config: Config): string {
  return config.baseUrl ?? `http://localhost:${config.port}`;
}
