/** Rate limits on the facade: the core charges a known caller from its own bucket, any other call from its address's. */
import type { Context, Next } from 'koa';
import { rateHeaders } from '../../access/rateLimit.ts';
import type { Link } from '../../core/takeLink.ts';
import { chargedFault } from '../shell/chargedFault.ts';
import type { Gate } from '../shell/gate.ts';
import type { RequestMeter } from '../shell/requestMeter.ts';

/** In any letters, so that a call to a misspelt path is charged as well. */
const LIMITED = /^\/(ap2|a2a|mcp|admin|approve|enroll|metrics)(\/|$)/i;

/** Tells every caller of a limited path where it stands. */
export function rateLimitHeaders(gate: Gate): (context: Context, next: Next) => Promise<void> {
  return async (context, next) => {
    if (!LIMITED.test(context.path)) return next();
    try {
      await next();
    } finally {
      const { verdict, address } = meterOf(context);
      const headers = rateHeaders(verdict ?? (await gate.core.call('peekAddress', address)));
      if (!context.headerSent) {
        for (const name in headers) context.res.setHeader(name, headers[name] as string);
      }
    }
  };
}

/**
 * Charges a call to the address it came from: one without a credential, or one whose credential does not hold.
 * @throws Fault RATE_LIMITED
 */
export async function chargeAddress(context: Context): Promise<void> {
  if (LIMITED.test(context.path)) await meterOf(context).chargeAddress();
}

/** Charges a call to the link that it goes by, or to its address where there is no such link. @throws Fault RATE_LIMITED */
export async function chargeLink(gate: Gate, context: Context, link: Link): Promise<void> {
  const meter = meterOf(context);
  meter.settle(await gate.core.call('takeLink', meter.address, link));
}

/** Charges the address for what failed where nothing was charged yet. @returns what the caller is told */
export async function chargedOnce(context: Context, error: unknown): Promise<unknown> {
  return meterOf(context).verdict === undefined ? chargedFault(() => chargeAddress(context), error) : error;
}

/** The meter of a request, which the facade gives it first. */
export function meterOf(context: Context): RequestMeter {
  return context.state.meter as RequestMeter;
}
