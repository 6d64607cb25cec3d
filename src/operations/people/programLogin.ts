/**
 * Logging a program in, such as the command line: the person allows it in the browser, where their passkey is, and the program gets
 * a login of its own (RFC 8252, with the proof key of RFC 7636: a code is of no use to a program that did not ask for it).
 */
import { createHash } from 'node:crypto';
import { z } from 'zod';
import { Fault } from '../../../protocol/wire/fault.ts';
import { isoTime } from '../../../protocol/wire/time.ts';
import { letIn, type OpenLogin, Tokens, tokensOf } from '../../domain/access/startLogin.ts';
import { requireLogin } from '../../domain/people/loadSelf.ts';
import { findUserOfLogin, markLoginAttemptUsed } from '../../store/statements/people/logins.ts';
import type { Script } from '../../store/store.ts';
import type { Deps, EventDeps } from '../../usecase/deps.ts';
import { openOperation } from '../../usecase/openOperation.ts';
import { inSteps, useCase } from '../../usecase/useCase.ts';

/** From the touch in the browser to the program's own request, which follows at once. */
const CODE_SECONDS = 60;
const SEALED_FOR = 'program login';

const AllowProgram = z.object({
  challenge: z
    .string()
    .regex(/^[\w-]{43}$/, 'must be the SHA-256 of the verifier as base64url')
    .describe('The SHA-256 of a verifier that the program keeps, as base64url (RFC 7636, S256).'),
});

const AllowedProgram = z.object({
  code: z.string().describe('Serves once, with the verifier.'),
  expiresAt: z.string(),
});

/** What a code stands for. */
const Grant = z.object({
  tenantId: z.string(),
  loginId: z.string(),
  challenge: z.string(),
  expiresAt: z.int(),
});
type Grant = z.infer<typeof Grant>;

export const allowProgram = useCase({
  summary:
    'Lets a program on the caller’s computer log in as them: a code for it, which serves once within a minute. Takes a fresh touch.',
  input: AllowProgram,
  output: AllowedProgram,
  permission: 'self',
  stepUp: true,
  faults: ['FORBIDDEN'],
  secretAnswer: true,
  run: inSteps<z.output<typeof AllowProgram>, z.infer<typeof AllowedProgram>>(
    async (deps: Pick<Deps, 'clock' | 'sealer'>, caller, { challenge }) => {
      const { loginId } = requireLogin(caller);
      const expiresAt = deps.clock() + CODE_SECONDS * 1000;
      const grant: Grant = { tenantId: caller.tenantId, loginId, challenge, expiresAt };
      return { code: deps.sealer.seal(JSON.stringify(grant), SEALED_FOR), expiresAt: isoTime(expiresAt) };
    },
  ),
});

export const CompleteProgramLogin = z.object({
  code: z.string().min(1).max(2000),
  verifier: z.string().regex(/^[\w.~-]{43,128}$/, 'must be 43 to 128 letters, digits and -._~ (RFC 7636 section 4.1)'),
});

export const completeProgramLogin = openOperation({
  summary: 'Opens a login of its own for a program that its person has allowed.',
  input: CompleteProgramLogin.extend({ device: z.string().optional() }),
  output: Tokens,
  run: async (deps, { code, verifier, device }) => enter(deps, await takeGrant(deps, code, verifier), device),
});

/** @throws Fault UNAUTHORIZED for a code that is unknown, expired, used before, or of another program */
async function takeGrant(
  deps: Pick<Deps, 'clock' | 'hashToken' | 'sealer' | 'store'>,
  code: string,
  verifier: string,
): Promise<Grant> {
  const grant = grantOf(deps, code);
  const isAsking = grant?.challenge === createHash('sha256').update(verifier).digest('base64url');
  if (grant === undefined || !isAsking || grant.expiresAt <= deps.clock()) throw refused();
  const { expiresAt } = grant;
  if (!(await deps.store.write('logins', () => markLoginAttemptUsed(deps.hashToken(code), expiresAt)))) throw refused();
  return grant;
}

/** @param device what the program says that it is @throws Fault UNAUTHORIZED where the login that allowed it has ended */
async function enter(
  deps: EventDeps & Pick<Deps, 'access' | 'clock' | 'hashToken' | 'newToken' | 'store'>,
  grant: Grant,
  device: string | undefined,
): Promise<Tokens> {
  const standing = await deps.store.write(grant.tenantId, (now) => open(deps, grant, device, now));
  if (standing instanceof Fault) throw standing;
  return tokensOf(deps, standing);
}

/** The login that allowed it has to be there still: a person who ended it has stopped what it began. */
function* open(
  deps: EventDeps & Pick<Deps, 'hashToken' | 'newToken'>,
  { tenantId, loginId }: Grant,
  device: string | undefined,
  now: number,
): Script<OpenLogin | Fault> {
  const user = yield* findUserOfLogin(tenantId, loginId, now);
  if (user === undefined) return refused();
  // No touch goes with it: what raises risk is confirmed in the browser.
  return yield* letIn(deps, user, { way: 'passkey', device }, now);
}

function grantOf(deps: Pick<Deps, 'sealer'>, code: string): Grant | undefined {
  try {
    return Grant.parse(JSON.parse(deps.sealer.open(code, SEALED_FOR)));
  } catch {
    return undefined;
  }
}

function refused(): Fault {
  return new Fault('UNAUTHORIZED', 'This code is not valid any more: log in again, and allow it within a minute.');
}
