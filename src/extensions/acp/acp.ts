/** ACP, the agent's side: checkout sessions of shops are paid with shared payment tokens. */
import { extension } from '../extension.ts';
import { acpOperations, acpRoutes } from './acpOperations.ts';
import { acpProtocol } from './acpProtocol.ts';

export const acp = extension({
  name: 'acp',
  operations: acpOperations,
  routes: acpRoutes,
  documents: async () => ({ examples: (await import('./acpExamples.ts')).acpExamples }),
  tools: async () => (await import('./acpTools.ts')).acpTools,
  guide: () => '- Checkouts of ACP shops: over MCP by pay_acp_checkout, over REST by /ap2/carts/validate/acp.',
  start: () => ({ protocols: [acpProtocol] }),
});
