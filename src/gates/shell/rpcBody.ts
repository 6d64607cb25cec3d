/** The body of a JSON-RPC call, parsed within the limits of all JSON. */
import { Fault } from '../../../protocol/wire/fault.ts';
import { decodeUtf8, JsonSyntaxFault, parseJson } from '../../../protocol/wire/json.ts';

/** @returns any JSON @throws Fault SYNTAX for what is no JSON, INVALID_REQUEST beyond a limit, such as that of its depth */
export function parseRpcBody(body: Buffer): unknown {
  try {
    return parseJson(decodeUtf8(body));
  } catch (error) {
    if (error instanceof JsonSyntaxFault) throw new Fault('SYNTAX', error.message);
    if (error instanceof Fault && error.code === 'BAD_REQUEST') throw new Fault('INVALID_REQUEST', error.message);
    throw error;
  }
}
