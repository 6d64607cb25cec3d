/**
 * The guard's extension: `countersign guard`, an MCP proxy before other vendors' money tools, which asks a node before a call goes on; and
 * what a node knows of guards and their tools.
 */
import { extension } from '../extension.ts';
import { guardOperations, guardRoutes } from './node/guardOperations.ts';
import { endGuards, toolsToLookAt } from './node/showGuards.ts';

export const guard = extension({
  name: 'guard',
  operations: guardOperations,
  routes: guardRoutes,
  documents: async () => {
    const { Guard } = await import('../../../protocol/guard/guardTools.ts');
    return { examples: (await import('./node/guardExamples.ts')).guardExamples, outputs: { Guard } };
  },
  start: () => ({ hooks: { afterAgentEnd: [endGuards], waitingTools: [toolsToLookAt] } }),
  programs: {
    guard: async (options, host) => (await import('./runGuard.ts')).runGuard(options, host),
    // For `countersign demo --rails`.
    'guard demo': async (options) => (await import('./demoVendor.ts')).runDemoVendor(options),
  },
});
