/** Demands that a body is JSON by its own account. */
import { Fault } from '../../../protocol/wire/fault.ts';
import { isJson } from '../../access/body.ts';

/** @param contentType the header of the request @throws Fault UNSUPPORTED_MEDIA_TYPE */
export function requireJson(contentType: string | undefined): void {
  if (isJson(contentType)) return;
  throw new Fault('UNSUPPORTED_MEDIA_TYPE', 'Send the body as "Content-Type: application/json".');
}
