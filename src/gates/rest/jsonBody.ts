/** The body of a request as a JSON object. */
import type { Context } from 'koa';
import { Fault } from '../../../protocol/wire/fault.ts';
import { decodeUtf8, parseJson } from '../../../protocol/wire/json.ts';
import type { Gate } from '../shell/gate.ts';
import { requireJson } from '../shell/requireJson.ts';

/** What a browser says of a passkey is far shorter. */
const MOST_OPEN_BYTES = 16_384;

/**
 * The body of a request whose caller shows no credential: short, since it is parsed before anything is known of them.
 * @throws Fault UNSUPPORTED_MEDIA_TYPE, BAD_REQUEST, PAYLOAD_TOO_LARGE, UNAVAILABLE
 */
export async function readOpenBody(gate: Gate, context: Context): Promise<Record<string, unknown>> {
  return parseJsonBody(context, await gate.bodies.read(context.req, context.res, MOST_OPEN_BYTES));
}

/** @param body the raw bytes; none stand for an empty object */
export function parseJsonBody(context: Context, body: Buffer): Record<string, unknown> {
  if (body.length === 0) return {};
  requireJson(context.headers['content-type']);
  const parsed = parseJson(decodeUtf8(body));
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) {
    throw new Fault('BAD_REQUEST', 'The body must be a JSON object.');
  }
  return parsed as Record<string, unknown>;
}
