/** Status lists of mandates, for every reader (W3C Bitstring Status List 1.0). */
import type { Context } from 'koa';
import { STATUS_FRESH_SECONDS, STATUS_PATH, StatusListDocument } from '../../../protocol/credential/statusList.ts';
import { Fault } from '../../../protocol/wire/fault.ts';
import type { Gate } from '../shell/gate.ts';
import { answerFixed, fixedText } from './fixedText.ts';
import type { OpenRoute } from './openRoute.ts';
import { everyOrigin } from './respond.ts';

const FORMS = { 'application/vc': 'vc', 'application/vc+jwt': 'vc+jwt' } as const;
const TYPES = Object.keys(FORMS) as (keyof typeof FORMS)[];

export function statusRoute(gate: Gate): OpenRoute {
  return {
    method: 'GET',
    path: `${STATUS_PATH}/:list`,
    name: 'statusList',
    summary: 'Shows which mandates of a status list no longer hold (W3C Bitstring Status List 1.0).',
    headers: { Accept: 'application/vc, as which it comes unless another is asked for, or application/vc+jwt.' },
    answers: {
      200: {
        description: 'The list, signed.',
        media: 'application/vc',
        schema: StatusListDocument,
      },
      304: { description: 'Unchanged since the entity tag that was sent.' },
    },
    errors: [404, 406, 410, 429, 500],
    async answer(context) {
      everyOrigin(context);
      context.vary('Accept');
      const type = typeOf(context);
      const list = await gate.core.call('readStatusList', numberIn(context));
      answerFixed(context, fixedText(list[FORMS[type]]), type);
      context.set('Cache-Control', `public, max-age=${STATUS_FRESH_SECONDS}`);
    },
  };
}

/** JSON, and a caller that names nothing, gets the document. */
function typeOf(context: Context): keyof typeof FORMS {
  const type = context.accepts([...TYPES, 'application/json']);
  if (type === false) {
    throw new Fault('NOT_ACCEPTABLE', `A status list is served as ${TYPES.join(' and ')}; name one of them in Accept.`);
  }
  return type === 'application/vc+jwt' ? type : 'application/vc';
}

/** @throws Fault NOT_FOUND for what is no number of a list */
function numberIn(context: Context): number {
  const named = String(context.params.list);
  if (/^[1-9][0-9]{0,8}$/.test(named)) return Number(named);
  throw new Fault('NOT_FOUND', 'Status lists are counted from 1.');
}
