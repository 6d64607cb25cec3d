/** Where the secret of a profile is kept: in the system's keyring, or in the file of profiles where there is none. */
import { WrongUse } from '../commandFailure.ts';
import { systemKeyring } from './keyring.ts';
import { type Profile, type Profiles, readProfiles, writeProfiles } from './profileFile.ts';

/** @returns where it is kept */
export function keepProfile(
  env: NodeJS.ProcessEnv,
  name: string,
  profile: Omit<Profile, 'secret'>,
  secret: string,
): 'keyring' | 'file' {
  const isInKeyring = systemKeyring(env)?.put(name, secret) ?? false;
  const kept = isInKeyring ? profile : { ...profile, secret };
  writeProfiles(env, { ...readProfiles(env), [name]: kept });
  return isInKeyring ? 'keyring' : 'file';
}

/** @throws WrongUse for a profile that is not there, or whose secret the keyring does not give */
export function readProfile(env: NodeJS.ProcessEnv, name: string): Profile & { readonly secret: string } {
  const profiles = readProfiles(env);
  // Some names are members of every object.
  const profile = Object.hasOwn(profiles, name) ? profiles[name] : undefined;
  if (profile === undefined)
    throw new WrongUse(
      `There is no profile "${name}"${named(profiles)}; make it with countersign login --profile ${name}.`,
    );
  const secret = profile.secret ?? systemKeyring(env)?.get(name);
  if (secret === undefined) {
    throw new WrongUse(
      `The keyring does not give the secret of "${name}"; unlock it, or run countersign login --profile ${name}.`,
    );
  }
  return { ...profile, secret };
}

export function forgetProfile(env: NodeJS.ProcessEnv, name: string): void {
  const { [name]: gone, ...others } = readProfiles(env);
  if (gone !== undefined && gone.secret === undefined) systemKeyring(env)?.remove(name);
  writeProfiles(env, others);
}

function named(profiles: Profiles): string {
  const names = Object.keys(profiles);
  return names.length === 0 ? '' : `, but ${names.join(', ')}`;
}
