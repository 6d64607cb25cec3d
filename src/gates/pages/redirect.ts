/** Redirects, for people who type an address. */
import type { Context } from 'koa';
import { Fault } from '../../../protocol/wire/fault.ts';
import type { OpenRoute } from '../rest/openRoute.ts';

/** Redirects browsers; a program gets 404, as for any path without a route. */
export function redirect(path: string, name: string, summary: string, target: string): OpenRoute {
  return {
    method: 'GET',
    path,
    name,
    summary,
    answers: { 302: { description: 'A redirect, for a browser that asked for a page.' } },
    errors: [404],
    answer(context) {
      context.vary('Accept');
      if (context.accepts('json', 'html') !== 'html') throw new Fault('NOT_FOUND', `There is nothing at ${path}.`);
      sendTo(context, target);
    },
  };
}

/** @param target relative, because the node's public address may have a path */
export function sendTo(context: Context, target: string): void {
  context.status = 302;
  context.set('Location', target);
  context.body = '';
}
