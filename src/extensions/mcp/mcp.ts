/** MCP's extension: the tools of a node for models, over HTTP at the node and over stdio beside it. Its packages are loaded when it is asked. */
import { extension } from '../extension.ts';
import { MCP_PATH } from './mcpPaths.ts';
import { metadataRoutes } from './metadataRoutes.ts';

export const mcp = extension({
  name: 'mcp',
  doors: [
    {
      paths: [MCP_PATH],
      open: async (gate, loadTools) => (await import('./httpGate.ts')).mcpHandler(gate, await loadTools()),
    },
  ],
  openRoutes: metadataRoutes,
  links: { mcp: MCP_PATH },
  guide: (baseUrl) =>
    `- [MCP](${baseUrl}${MCP_PATH}): tools request_intent, validate_cart, pay, check_status, wait_for_approval, policy_explain,
  check_limits, list_purchases, get_evidence. Send an API key as "Authorization: Bearer ak_…".`,
  programs: { mcp: async (options, host) => (await import('./stdio.ts')).serveTools(options, host) },
});
