/** Whom MCP is served to by where the request says it goes and comes from. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Fault } from '../../../protocol/wire/fault.ts';
import { isLoopbackHost } from '../../access/clientAddress.ts';
import type { Gate } from '../../gates/shell/gate.ts';
import { requireOwnOrigin } from '../../gates/shell/http.ts';

/**
 * A page whose name was made to lead to this machine sends that name (DNS rebinding), and a page of another site its origin.
 * @throws Fault FORBIDDEN
 */
export function requireOwnHost(gate: Gate, { headers, socket }: IncomingMessage, response: ServerResponse): void {
  const { baseUrl, trustedProxies } = gate.settings;
  const own = new URL(baseUrl);
  const { host, origin } = headers;
  // A proxy may ask for this machine by a name of its own.
  const isProxied = trustedProxies.has(socket.remoteAddress ?? '');
  if (!isProxied && host !== own.host && !isLoopbackHost(host)) {
    throw new Fault('FORBIDDEN', `This node is at home at ${own.host}, and answers under no other name.`);
  }
  requireOwnOrigin(gate.settings, origin, 'call this node');
  if (origin === undefined) return;
  response.setHeader('Vary', 'Origin');
  response.setHeader('Access-Control-Allow-Origin', origin);
  response.setHeader('Access-Control-Expose-Headers', 'WWW-Authenticate, X-Request-Id, Mcp-Protocol-Version');
}
