/** The DID of a node, as a caller of the client gives it. */
import { canonicalDid } from '../protocol/credential/did.ts';
import { Fault } from '../protocol/wire/fault.ts';
import { CountersignError } from './error.ts';

/** @throws CountersignError BAD_REQUEST that names the member */
export function readNodeDid(nodeDid: string): string {
  try {
    return canonicalDid(nodeDid);
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    const details = [{ path: 'nodeDid', message: error.message }];
    throw new CountersignError('BAD_REQUEST', `nodeDid: ${error.message}`, { status: 0, details });
  }
}
