/** Signed requests (RFC 9421): merchants know an agent by Web Bot Auth or the Trusted Agent Protocol, and let it in. */
import { extension } from '../extension.ts';
import { directoryCalls, keyDirectoryRoute } from './keyDirectoryRoute.ts';
import { requestKey } from './requestKey.ts';
import { signatureOperations, signatureRoutes } from './signatureOperations.ts';

export const httpSignatures = extension({
  name: 'http-signatures',
  operations: signatureOperations,
  routes: signatureRoutes,
  calls: directoryCalls,
  requestKeys: (node) => [requestKey(node).jwk],
  openRoutes: (_facts, core) => [keyDirectoryRoute(core)],
  documents: async () => {
    const { HttpSignature } = await import('../../../protocol/httpSignatures/httpSignature.ts');
    return { examples: (await import('./signatureExamples.ts')).signatureExamples, outputs: { HttpSignature } };
  },
  tools: async () => (await import('./signatureTools.ts')).signatureTools,
});
