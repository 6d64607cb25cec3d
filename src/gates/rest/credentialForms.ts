/** The forms of a credential by the media types that name them (W3C VC-JOSE-COSE section 6, VCDM 2.0 section C). */
import type { Context } from 'koa';
import { Fault } from '../../../protocol/wire/fault.ts';
import type { Streamed } from '../../usecase/streamed.ts';
import type { Route } from './routes.ts';

const FORMS = { 'application/json': undefined, 'application/vc': 'vc', 'application/vc+jwt': 'vc+jwt' } as const;
type MediaType = keyof typeof FORMS;
const TYPES = Object.keys(FORMS) as MediaType[];

/** @throws Fault NOT_ACCEPTABLE where the caller takes none of them */
export function formOf(context: Context, { hasForms }: Pick<Route, 'hasForms'>): { readonly as?: string } {
  if (hasForms !== true) return {};
  // Of every answer, also of one without a body (RFC 9110 section 15.4.5).
  context.vary('Accept');
  const as = FORMS[chosen(context)];
  return as === undefined ? {} : { as };
}

/** @param text the answer as JSON @returns false where it is to be sent as JSON */
export function respondInForm(context: Context, text: string | Streamed): boolean {
  const type = chosen(context);
  if (type === 'application/json') return false;
  context.status = 200;
  // A token is a text of its own.
  context.body = type === 'application/vc+jwt' ? JSON.parse(String(text)) : text;
  context.type = type;
  return true;
}

function chosen(context: Context): MediaType {
  const type = context.accepts(TYPES);
  if (type !== false) return type as MediaType;
  throw new Fault('NOT_ACCEPTABLE', `A credential is served as ${TYPES.join(', ')}; name one of them in Accept.`);
}
