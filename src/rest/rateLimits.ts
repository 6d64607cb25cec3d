/** Rate limits on the facade: a known caller is charged from its own bucket, any other call from its address's. */
import type { Context, Next } from 'koa';
import { Fault } from '../../protocol/wire/fault.ts';
import type { Caller } from '../access/caller.ts';
import { addressSubject } from '../access/clientAddress.ts';
import { rateHeaders, type Verdict } from '../access/rateLimit.ts';
import type { Deps } from '../handlers/core/deps.ts';

/** In any letters, so that a call to a misspelt path is charged as well. */
const LIMITED = /^\/(ap2|a2a|admin|approve|enroll|metrics)(\/|$)/i;

/** Tells every caller of a limited path where it stands. */
export function rateLimitHeaders(deps: Deps): (context: Context, next: Next) => Promise<void> {
  return async (context, next) => {
    if (!LIMITED.test(context.path)) return next();
    try {
      await next();
    } finally {
      const own = context.state.verdict as Verdict | undefined;
      const headers = rateHeaders(own ?? deps.limits.peek(addressOf(deps, context), 'free', deps.clock()));
      if (!context.headerSent) {
        for (const name in headers) context.res.setHeader(name, headers[name] as string);
      }
    }
  };
}

/** Charges a call to its caller, who is known from here on. @throws Fault RATE_LIMITED */
export function chargeCaller(deps: Deps, context: Context, caller: Caller): void {
  context.state.caller = caller;
  charge(deps, context, `${caller.kind} ${caller.id}`, caller.tier);
}

/**
 * Charges a call to the address it came from: one without a credential, or one whose credential does not hold.
 * @throws Fault RATE_LIMITED
 */
export function chargeAddress(deps: Deps, context: Context): void {
  if (LIMITED.test(context.path)) charge(deps, context, addressOf(deps, context));
}

/**
 * Turns a call without any credential away before anything of it is read. With one, it is read and proven first, since
 * a valid credential is never refused because of its address.
 * @throws Fault RATE_LIMITED
 */
export function refuseSpentAddress(deps: Deps, context: Context): void {
  const { authorization, 'x-did-proof': proof } = context.headers;
  if (authorization !== undefined || proof !== undefined) return;
  const verdict = deps.limits.peek(addressOf(deps, context), 'free', deps.clock());
  if (!verdict.allowed) throw tooMany(verdict);
}

function charge(deps: Deps, context: Context, subject: string, tier: Caller['tier'] = 'free'): void {
  const verdict = deps.limits.charge(subject, tier, deps.clock());
  context.state.verdict = verdict;
  if (!verdict.allowed) throw tooMany(verdict);
}

function addressOf(deps: Deps, context: Context): string {
  return addressSubject(context.req, deps.settings.trustedProxies);
}

function tooMany(verdict: Verdict): Fault {
  return new Fault('RATE_LIMITED', `Too many requests; try again in ${verdict.retryAfterSeconds} s.`);
}
