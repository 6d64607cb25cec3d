/** GET /metrics: for a scraper on this machine, or for a caller with an admin credential. */
import type { Context } from 'koa';
import { isForwarded, isLoopbackAddress, isLoopbackHost } from '../../access/loopback.ts';
import type { Gate } from '../shell/gate.ts';
import { readCredential, shownCredential } from '../shell/readCredential.ts';

export function exposeMetrics(gate: Gate): (context: Context) => Promise<void> {
  return async (context) => {
    const credential = isLocal(context)
      ? undefined
      : readCredential(gate, context, shownCredential(context), Buffer.alloc(0));
    const { text, contentType } = await gate.core.call('exposeMetrics', credential);
    context.type = contentType;
    context.body = text;
  };
}

/**
 * A request that a local proxy forwards is not local, and neither is one of a page that had a name of its own resolved
 * to this machine: its browser sends that name.
 */
function isLocal({ req }: Context): boolean {
  return !isForwarded(req.headers) && isLoopbackAddress(req.socket.remoteAddress) && isLoopbackHost(req.headers.host);
}
