/** Rate limits on the facade: the core charges a known caller from its own bucket, any other call from its address's. */
import type { Context, Next } from 'koa';
import { addressSubject } from '../access/clientAddress.ts';
import { rateHeaders, type Verdict } from '../access/rateLimit.ts';
import type { Gate } from '../core/gate.ts';
import type { Link } from '../core/takeLink.ts';
import { answerOf, type Taken, type Text } from '../core/taken.ts';

/** In any letters, so that a call to a misspelt path is charged as well. */
const LIMITED = /^\/(ap2|a2a|mcp|admin|approve|enroll|metrics)(\/|$)/i;

/** Tells every caller of a limited path where it stands. */
export function rateLimitHeaders(gate: Gate): (context: Context, next: Next) => Promise<void> {
  return async (context, next) => {
    if (!LIMITED.test(context.path)) return next();
    try {
      await next();
    } finally {
      const own = context.state.verdict as Verdict | undefined;
      const headers = rateHeaders(own ?? (await gate.core.call('peekAddress', addressOf(gate, context))));
      if (!context.headerSent) {
        for (const name in headers) context.res.setHeader(name, headers[name] as string);
      }
    }
  };
}

/** Notes who called and where they stand. @returns the core's answer @throws what the core threw */
export function settle(context: Context, taken: Taken): Text | undefined {
  context.state.verdict = taken.verdict;
  context.state.caller = taken.caller;
  return answerOf(taken);
}

/**
 * Charges a call to the address it came from: one without a credential, or one whose credential does not hold.
 * @throws Fault RATE_LIMITED
 */
export async function chargeAddress(gate: Gate, context: Context): Promise<void> {
  if (LIMITED.test(context.path)) settle(context, await gate.core.call('chargeAddress', addressOf(gate, context)));
}

/** Charges a call to the link that it goes by, or to its address where there is no such link. @throws Fault RATE_LIMITED */
export async function chargeLink(gate: Gate, context: Context, link: Link): Promise<void> {
  settle(context, await gate.core.call('takeLink', addressOf(gate, context), link));
}

/** Where a call came from, as the rate limiter names it. */
export function addressOf(gate: Gate, context: Context): string {
  return addressSubject(context.req, gate.settings.trustedProxies);
}
