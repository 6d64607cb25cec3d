/** What a 401 asks for. */
import type { Fault } from '../../../protocol/wire/fault.ts';
import { TOUCH_SECONDS } from '../../access/caller.ts';

/**
 * The header WWW-Authenticate (RFC 6750 section 3; a fresh touch: RFC 9470 section 3).
 * @param metadataUrl where the protected resource says how to get a token for it (RFC 9728 section 5.1), if it does
 */
export function challengeOf({ code }: Pick<Fault, 'code'>, baseUrl: string, metadataUrl?: string): string {
  if (metadataUrl !== undefined) return `Bearer resource_metadata="${metadataUrl}", scope="read write"`;
  const realm = `Bearer realm="${baseUrl}"`;
  if (code !== 'STEP_UP_REQUIRED') return realm;
  return `${realm}, error="insufficient_user_authentication", max_age=${TOUCH_SECONDS}`;
}
