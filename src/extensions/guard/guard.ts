/** The guard's extension: `countersign guard`, an MCP proxy before other vendors' money tools, which asks a node before a call goes on. */
import { extension } from '../extension.ts';

export const guard = extension({
  name: 'guard',
  programs: {
    guard: async (options, host) => (await import('./runGuard.ts')).runGuard(options, host),
    // For `countersign demo --rails`.
    'guard demo': async (options) => (await import('./demoVendor.ts')).runDemoVendor(options),
  },
});
