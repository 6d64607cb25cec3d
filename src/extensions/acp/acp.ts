/** ACP, the agent's side: checkout sessions of shops are paid with shared payment tokens. */
import type { AcpExchange } from '../../../protocol/acp/acpParts.ts';
import { cartWork } from '../../domain/tasks/exchanges.ts';
import { taskExchange } from '../../usecase/hooks.ts';
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
  start: () => ({ protocols: [acpProtocol], exchanges: [acpExchange] }),
});

const acpExchange = taskExchange<AcpExchange>({
  kind: 'acpSession',
  operation: 'validateAcpSession',
  // Told and concluded as what a server asks for by HTTP.
  task: 'httpPayment',
  agentOf: (_deps, _caller, { input }) => input.agentDid,
  // After the touch the same call checks the session again.
  workOf: ({ input }) => cartWork('validateAcpSession', input),
});
