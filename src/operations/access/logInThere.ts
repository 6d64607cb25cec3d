/** Logging in at the identity provider: there with an attempt that is sealed into the browser, and back with it. */
import { z } from 'zod';
import { Fault } from '../../../protocol/wire/fault.ts';
import { LoginAttempt, type LoginProvider } from '../../access/loginProvider.ts';
import { openLogin, Tokens } from '../../domain/access/startLogin.ts';
import { markLoginAttemptUsed } from '../../store/statements/people/logins.ts';
import type { Deps } from '../../usecase/deps.ts';
import { openOperation } from '../../usecase/openOperation.ts';

/** Where the provider sends the browser back to. */
export const CALLBACK_PATH = '/ap2/auth/callback';

/** How long a person may take at the provider. */
export const ATTEMPT_SECONDS = 600;

const SEALED_FOR = 'login attempt';

const LoginStart = z.object({
  url: z.string().describe('Where the browser goes.'),
  attempt: z.string().describe('Sealed; the browser brings it back.'),
});
type LoginStart = z.output<typeof LoginStart>;

export const beginLogin = openOperation({
  summary: 'Begins a login at the identity provider.',
  input: z.object({}),
  output: LoginStart,
  run: begin,
});

export const completeLogin = openOperation({
  summary: 'Completes a login at the identity provider, and lets the person in.',
  input: z.object({ query: z.string(), sealed: z.string().optional(), device: z.string().optional() }),
  output: Tokens,
  run: (deps, { query, sealed, device }) => complete(deps, query, sealed, device),
});

/** @throws Fault UNAVAILABLE when no provider is configured, or it cannot be reached */
async function begin(deps: Pick<Deps, 'clock' | 'people' | 'sealer' | 'settings'>): Promise<LoginStart> {
  const { url, attempt } = await providerOf(deps).begin();
  const sealed = { attempt, expiresAt: deps.clock() + ATTEMPT_SECONDS * 1000 };
  return { url: url.href, attempt: deps.sealer.seal(JSON.stringify(sealed), SEALED_FOR) };
}

/**
 * @param query that the provider sent the browser back with, with its question mark
 * @param sealed the attempt that the browser brought
 * @param device what the browser says that it is
 * @throws Fault UNAUTHORIZED, FORBIDDEN for a person who was removed, UNAVAILABLE
 */
async function complete(
  deps: Deps,
  query: string,
  sealed: string | undefined,
  device: string | undefined,
): Promise<Tokens> {
  const provider = providerOf(deps);
  const begun = sealed === undefined ? undefined : openAttempt(deps, sealed);
  if (begun === undefined) {
    throw new Fault('UNAUTHORIZED', 'This browser began no login, or too long ago; start at /ap2/auth/login.');
  }
  const { attempt, expiresAt } = begun;
  if (!(await deps.store.write('logins', () => markLoginAttemptUsed(attempt.state, expiresAt)))) {
    throw new Fault('UNAUTHORIZED', 'This login was completed before; start again at /ap2/auth/login.');
  }
  return openLogin(deps, await provider.finish(query, attempt), device);
}

/** The attempt of this browser; undefined when it began too long ago, or was changed. */
function openAttempt(
  deps: Pick<Deps, 'clock' | 'sealer'>,
  sealed: string,
): { attempt: LoginAttempt; expiresAt: number } | undefined {
  try {
    const { attempt, expiresAt } = JSON.parse(deps.sealer.open(sealed, SEALED_FOR));
    return expiresAt > deps.clock() ? { attempt: LoginAttempt.parse(attempt), expiresAt } : undefined;
  } catch {
    return undefined;
  }
}

function providerOf(deps: Pick<Deps, 'people' | 'settings'>): LoginProvider {
  if (deps.people.login !== undefined) return deps.people.login;
  const remedy = 'set OIDC_ISSUER, OIDC_CLIENT_ID and OIDC_CLIENT_SECRET, and register this callback at the provider';
  throw new Fault(
    'UNAVAILABLE',
    `No identity provider is configured: ${remedy}: ${deps.settings.baseUrl}${CALLBACK_PATH}. API keys work without one.`,
  );
}
