/** The node of a profile, and what lets this user in there now. */

import { accessTokenOf } from './keptLogin.ts';
import type { Profile } from './profileFile.ts';
import { readProfile } from './secretOfProfile.ts';

/** @returns the key, or an access token for at least a minute; both are sent as a bearer */
export async function targetOf(
  env: NodeJS.ProcessEnv,
  name: string,
): Promise<{ readonly url: string; readonly key: string; readonly kind: Profile['kind'] }> {
  const { url, kind, secret } = readProfile(env, name);
  return { url, kind, key: kind === 'key' ? secret : await accessTokenOf(env, name) };
}
