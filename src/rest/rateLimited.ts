/** Rate limits on the facade: a known caller pays from its own bucket, an unknown one from its address's. */
import type { Context, Next } from 'koa';
import { Fault } from '../../protocol/wire/fault.ts';
import type { Caller } from '../access/caller.ts';
import { rateHeaders, type Verdict } from '../access/rateLimit.ts';
import type { Deps } from '../handlers/core/deps.ts';

const LIMITED = /^\/(ap2|a2a|admin|approve|enroll)(\/|$)/;

/** Turns an address away that has used up its calls, before anything is read or looked up. */
export function limitAddress(deps: Deps): (context: Context, next: Next) => Promise<void> {
  return async (context, next) => {
    if (!LIMITED.test(context.path)) return next();
    const subject = `address ${context.req.socket.remoteAddress}`;
    const before = deps.limits.peek(subject, 'free', deps.clock());
    if (!before.allowed) throw tooMany(context, before);
    try {
      await next();
    } finally {
      // Only who could not be told who it is charges the address it calls from.
      const own = context.state.verdict as Verdict | undefined;
      const standing = rateHeaders(own ?? deps.limits.charge(subject, 'free', deps.clock()));
      if (!context.headerSent) {
        for (const name in standing) context.res.setHeader(name, standing[name] as string);
      }
    }
  };
}

/** Charges a call to its caller. @throws Fault RATE_LIMITED */
export function chargeCaller(deps: Deps, context: Context, caller: Caller): void {
  const verdict = deps.limits.charge(`${caller.kind} ${caller.id}`, caller.tier ?? 'free', deps.clock());
  context.state.verdict = verdict;
  if (!verdict.allowed) throw tooMany(context, verdict);
}

function tooMany(context: Context, verdict: Verdict): Fault {
  context.set(rateHeaders(verdict));
  return new Fault('RATE_LIMITED', `Too many requests; try again in ${verdict.retryAfterSeconds} s.`);
}
