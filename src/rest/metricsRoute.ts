/** GET /metrics: for a scraper on this machine, or for whoever shows an admin credential. */
import type { Context } from 'koa';
import { requirePermission } from '../access/caller.ts';
import { isLoopbackAddress } from '../access/loopback.ts';
import type { Deps } from '../handlers/core/deps.ts';
import { authenticate } from './authenticate.ts';

export function exposeMetrics(deps: Deps): (context: Context) => Promise<void> {
  return async (context) => {
    if (!isLocal(context)) {
      const caller = await authenticate(deps, context, Buffer.alloc(0));
      requirePermission(caller, 'admin');
    }
    const { text, contentType } = await deps.metrics.expose();
    context.type = contentType;
    context.body = text;
  };
}

/** A request that a local proxy forwards is not local. */
function isLocal(context: Context): boolean {
  const forwarded = context.headers['x-forwarded-for'] ?? context.headers.forwarded ?? context.headers.via;
  return forwarded === undefined && isLoopbackAddress(context.req.socket.remoteAddress);
}
