/** One-time links for enrolling a passkey: an administrator makes one, and its page uses it. */

import { z } from 'zod';
import {
  CreateEnrollment,
  Enrollment,
  EnrollmentView,
  Passkey,
  RegistrationCredential,
  RegistrationOptions,
} from '../../../protocol/passkey.ts';
import { compact } from '../../../protocol/wire/compact.ts';
import { Fault } from '../../../protocol/wire/fault.ts';
import { inertText } from '../../../protocol/wire/plainText.ts';
import { isoTime } from '../../../protocol/wire/time.ts';
import { actedBy, recordAdminEvent } from '../../domain/evidence/recordEvent.ts';
import { holderIn, namedHolder, nameOfHolder } from '../../domain/passkeys/holder.ts';
import { finishRegistration, openRegistration } from '../../domain/passkeys/passkeyRegistration.ts';
import {
  type EnrollmentRow,
  findEnrollmentByHash,
  insertEnrollment,
} from '../../store/statements/people/enrollments.ts';
import type { Holder } from '../../store/statements/people/passkeys.ts';
import { hasDelegation } from '../../store/statements/registry/principals.ts';
import type { Script } from '../../store/store.ts';
import type { Deps, EventDeps } from '../../usecase/deps.ts';
import { nodeCaller } from '../../usecase/nodeCaller.ts';
import { openOperation } from '../../usecase/openOperation.ts';
import { requireStanding } from '../../usecase/standing.ts';
import { inOneCommit, useCase } from '../../usecase/useCase.ts';

export const createEnrollment = useCase({
  summary:
    'Creates a link by which a person enrolls one passkey, for an agent or for the person or company whose money it is, without any other credential.',
  input: CreateEnrollment,
  output: Enrollment,
  permission: 'admin',
  stepUp: true,
  faults: ['NOT_FOUND', 'CONFLICT'],
  run: inOneCommit<CreateEnrollment, Enrollment>(function* (
    deps: EventDeps & Pick<Deps, 'hashToken' | 'newToken'>,
    caller,
    input,
    { now },
  ) {
    const { tenantId } = caller;
    // A link ends with the key that made it, which may have been revoked while it asked.
    yield* requireStanding(caller, now);
    const { deviceName, ttlSeconds } = input;
    const holder = holderIn(input);
    const maker = actedBy(caller);
    yield* nameOfHolder(tenantId, holder);
    const id = deps.newId('enr_');
    const token = deps.newToken('');
    const expiresAt = now + ttlSeconds * 1000;
    yield* insertEnrollment({
      id,
      tenant_id: tenantId,
      token_hash: deps.hashToken(token),
      holder_did: holder.did,
      holder_kind: holder.kind,
      device_name: deviceName ?? null,
      created_at: now,
      expires_at: expiresAt,
      made_by: `${maker.kind} ${maker.id}`,
    });
    const until = isoTime(expiresAt);
    const data = { ...namedHolder(holder), enrollmentId: id, expiresAt: until };
    yield* recordAdminEvent(deps, caller, 'HP_LINK_CREATED', data, now);
    return { id, ...namedHolder(holder), url: `${deps.settings.baseUrl}/enroll/${token}`, expiresAt: until };
  }),
});

const ByToken = z.object({ token: z.string() });

export const viewEnrollment = openOperation({
  summary: 'Shows what the page of an enrollment link shows.',
  input: ByToken,
  output: EnrollmentView,
  run: (deps, { token }) => view(deps, token),
});

export const beginEnrollment = openOperation({
  summary: 'Begins the registration of a passkey by an enrollment link.',
  input: ByToken.extend({ deviceName: z.string() }),
  output: RegistrationOptions,
  run: (deps, { token, deviceName }) => begin(deps, token, deviceName),
});

export const completeEnrollment = openOperation({
  summary: 'Enrolls the passkey and uses the link up, both or neither.',
  input: ByToken.extend({ credential: RegistrationCredential }),
  output: Passkey,
  run: (deps, { token, credential }) => complete(deps, token, credential),
});

/** What the link's page shows. @throws Fault NOT_FOUND when the link is unknown, used or expired */
function view(deps: Pick<Deps, 'hashToken' | 'store'>, token: string): Promise<EnrollmentView> {
  return deps.store.read(function* (now) {
    const enrollment = yield* loadEnrollment(deps, token, now);
    const holder = holderOf(enrollment);
    const name = inertText(yield* nameOfHolder(enrollment.tenant_id, holder));
    return compact({
      ...(holder.kind === 'agent' ? { agent: name || 'An agent' } : { principal: name || 'A person or company' }),
      delegated:
        holder.kind !== 'user' && (yield* hasDelegation(enrollment.tenant_id, { kind: holder.kind, did: holder.did })),
      deviceName: enrollment.device_name ?? undefined,
      expiresAt: isoTime(enrollment.expires_at),
    });
  });
}

/** @throws Fault NOT_FOUND when the link is unknown, used or expired */
async function begin(
  deps: Pick<Deps, 'hashToken' | 'newId' | 'newToken' | 'settings' | 'store' | 'suite'>,
  token: string,
  deviceName: string,
): Promise<RegistrationOptions> {
  const enrollment = await deps.store.read((now) => loadEnrollment(deps, token, now));
  const { tenant_id: tenantId } = enrollment;
  const holder = holderOf(enrollment);
  return deps.store.write(tenantId, (now) =>
    openRegistration(deps, { tenantId, holder, deviceName, subjectId: enrollment.id }, now),
  );
}

/** Enrolls the passkey and uses the link up, both or neither. */
async function complete(
  deps: EventDeps & Pick<Deps, 'hashToken' | 'operations' | 'store'>,
  token: string,
  credential: RegistrationCredential,
): Promise<Passkey> {
  const enrollment = await deps.store.read((now) => loadEnrollment(deps, token, now));
  const { tenant_id: tenantId } = enrollment;
  const caller = nodeCaller(deps, tenantId);
  return finishRegistration(deps, { tenantId, holder: holderOf(enrollment), enrollment, caller }, credential);
}

function holderOf({ holder_kind: kind, holder_did: did }: EnrollmentRow): Holder {
  return { kind, did };
}

function* loadEnrollment(deps: Pick<Deps, 'hashToken'>, token: string, now: number): Script<EnrollmentRow> {
  const enrollment = yield* findEnrollmentByHash(deps.hashToken(token));
  if (enrollment === undefined || enrollment.used_at !== null || enrollment.expires_at <= now) {
    throw new Fault('NOT_FOUND', 'This link was used or has expired; ask for a new one.');
  }
  return enrollment;
}
