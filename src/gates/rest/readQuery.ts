/** What a request's query says. */
import type { Context } from 'koa';
import { Fault } from '../../../protocol/wire/fault.ts';

/**
 * @param known the parameters that there are; undefined where the query is not read
 * @throws Fault BAD_REQUEST that names a parameter that is unknown or empty
 */
export function readQuery(context: Context, known: readonly string[] | undefined): Record<string, string | string[]> {
  const query: Record<string, string | string[]> = {};
  if (context.querystring === '') return query;
  for (const [name, value] of Object.entries(context.query)) {
    if (value === undefined) continue;
    if (known === undefined) throw wrongParameter(name, 'is not read here; send it as a member of the JSON body');
    if (!known.includes(name)) throw wrongParameter(name, `is not known; there are ${known.join(', ') || 'none'}`);
    if ([value].flat().includes('')) throw wrongParameter(name, 'must not be empty; leave the parameter out instead');
    query[name] = value;
  }
  return query;
}

function wrongParameter(name: string, message: string): Fault {
  return new Fault('BAD_REQUEST', `The query parameter ${name} ${message}.`, [{ path: name, message }]);
}
