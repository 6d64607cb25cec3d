/** Signing in by a passkey: the browser finds it by itself, and it says whose it is. */

import { z } from 'zod';
import { readClientData } from '../../../protocol/credential/clientData.ts';
import { fromBase64url, toBase64url } from '../../../protocol/credential/encodings.ts';
import { AssertionCredential } from '../../../protocol/passkey.ts';
import { CHALLENGE_SECONDS } from '../../../protocol/presence.ts';
import { Fault } from '../../../protocol/wire/fault.ts';
import { anyObject } from '../../../protocol/wire/json.ts';
import { assertionOptions, checkAssertion } from '../../access/presence/assertion.ts';
import { relyingPartyOf } from '../../access/presence/relyingParty.ts';
import { letIn, type OpenLogin, Tokens, tenantOfPeople, tokensOf } from '../../domain/access/startLogin.ts';
import { failed, knownPasskey } from '../../domain/passkeys/presenceChallenge.ts';
import { markLoginAttemptUsed } from '../../store/statements/people/logins.ts';
import {
  findPasskeyByCredential,
  hasUserPasskey,
  type PasskeyRow,
  recordPasskeyUse,
} from '../../store/statements/people/passkeys.ts';
import { countOwners, findUserByDid, noteLogin } from '../../store/statements/people/users.ts';
import type { Script } from '../../store/store.ts';
import type { Deps, EventDeps } from '../../usecase/deps.ts';
import { openOperation } from '../../usecase/openOperation.ts';

export const SignInWays = z.object({
  passkey: z.boolean().describe('Whether anyone has a passkey to sign in with.'),
  provider: z.boolean().describe('Whether people may also come by an OpenID Connect provider.'),
  environment: z.enum(['sandbox', 'production']),
  welcome: z.boolean().describe('Whether there is no OWNER yet, so that the first one needs an invitation.'),
});
export type SignInWays = z.infer<typeof SignInWays>;

const Nothing = z.object({});

export const listWays = openOperation({
  summary: 'Lists how people get in here.',
  input: Nothing,
  output: SignInWays,
  run: waysOf,
});

/** How people get in here. */
async function waysOf(deps: Pick<Deps, 'people' | 'settings' | 'store'>): Promise<SignInWays> {
  const tenantId = await tenantOfPeople(deps);
  const owners = await deps.store.read(() => countOwners(tenantId));
  const { environment } = deps.settings;
  // An OWNER has one, or made one.
  const passkey = owners > 0 || (await deps.store.read(() => hasUserPasskey(tenantId)));
  return { passkey, provider: deps.people.login !== undefined, environment, welcome: owners === 0 };
}

export const CompleteSignIn = z.object({ credential: AssertionCredential });

/** What the challenge of a sign-in is sealed for: nothing is stored for a visitor who only looks at the page. */
const SEALED_FOR = 'passkey sign-in';

export const beginSignIn = openOperation({
  summary: 'Begins a sign-in by a passkey that the browser finds itself.',
  input: Nothing,
  output: z.object({ publicKey: anyObject() }),
  run: begin,
});

export const completeSignIn = openOperation({
  summary: 'Checks the assertion of a passkey, and lets its user in.',
  input: z.object({ credential: AssertionCredential, device: z.string().optional() }),
  output: Tokens,
  run: complete,
});

async function begin(
  deps: Pick<Deps, 'clock' | 'newToken' | 'sealer' | 'settings'>,
): Promise<{ readonly publicKey: ReturnType<typeof assertionOptions> }> {
  const expiresAt = deps.clock() + CHALLENGE_SECONDS * 1000;
  const sealed = deps.sealer.seal(JSON.stringify({ expiresAt, nonce: deps.newToken('') }), SEALED_FOR);
  const challenge = toBase64url(new TextEncoder().encode(sealed));
  return { publicKey: assertionOptions(relyingPartyOf(deps.settings.baseUrl), challenge, []) };
}

/**
 * @param device what the browser says that it is
 * @throws Fault BAD_REQUEST when the ceremony failed, UNAUTHORIZED for a passkey that no user has, FORBIDDEN for a user who was
 * removed
 */
async function complete(
  deps: Deps,
  { credential, device }: z.output<typeof CompleteSignIn> & { readonly device?: string | undefined },
): Promise<Tokens> {
  const tenantId = await tenantOfPeople(deps);
  const challenge = await takeChallenge(deps, credential.response.clientDataJSON);
  const passkey = await deps.store.read(() => findPasskeyByCredential(tenantId, credential.id));
  if (passkey?.holder_kind !== 'user') {
    throw new Fault('UNAUTHORIZED', 'This passkey is not one of a user of this node; ask an OWNER for an invitation.');
  }
  const party = relyingPartyOf(deps.settings.baseUrl);
  const check = await checkAssertion(party, credential, challenge, knownPasskey(passkey));
  if (!check.ok) throw failed(check.reason);
  const standing = await deps.store.write(tenantId, (now) =>
    enter(deps, passkey, { after: check.counter, device }, now),
  );
  if (standing instanceof Fault) throw standing;
  return tokensOf(deps, standing);
}

function* enter(
  deps: EventDeps & Pick<Deps, 'hashToken' | 'newToken'>,
  passkey: PasskeyRow,
  { after, device }: { readonly after: number; readonly device: string | undefined },
  now: number,
): Script<OpenLogin | Fault> {
  const user = yield* findUserByDid(passkey.tenant_id, passkey.holder_did);
  if (user === undefined) return new Fault('UNAUTHORIZED', 'This passkey is not one of a user of this node.');
  if (!(yield* recordPasskeyUse(passkey.id, { before: passkey.counter, after }, now))) {
    throw failed('it was removed or used elsewhere in the meantime');
  }
  yield* noteLogin(user.tenant_id, user.id, now);
  return yield* letIn(deps, user, { way: 'passkey', device, touchedWith: passkey.credential_id }, now);
}

/** The challenge of this ceremony, which serves once. */
async function takeChallenge(
  deps: Pick<Deps, 'clock' | 'hashToken' | 'sealer' | 'store'>,
  clientDataJSON: string,
): Promise<string> {
  const { challenge } = readClientData(clientDataJSON);
  const expiresAt = challenge === undefined ? undefined : expiryOf(deps, challenge);
  if (challenge === undefined || expiresAt === undefined) throw failed('its challenge is not one of this node');
  if (expiresAt <= deps.clock()) throw failed(`its challenge has expired; answer within ${CHALLENGE_SECONDS} s`);
  const isFirst = await deps.store.write('logins', () => markLoginAttemptUsed(deps.hashToken(challenge), expiresAt));
  if (!isFirst) throw failed('its challenge was used before');
  return challenge;
}

function expiryOf(deps: Pick<Deps, 'sealer'>, challenge: string): number | undefined {
  try {
    const sealed = new TextDecoder('utf-8', { fatal: true }).decode(fromBase64url(challenge));
    return z.object({ expiresAt: z.int() }).parse(JSON.parse(deps.sealer.open(sealed, SEALED_FOR))).expiresAt;
  } catch {
    return undefined;
  }
}
