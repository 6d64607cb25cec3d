/** One-time links for enrolling a passkey: an administrator makes one, and its page uses it. */

import { inertText } from '../../../protocol/approval.ts';
import {
  CreateEnrollment,
  Enrollment,
  type EnrollmentView,
  type Passkey,
  type RegistrationCredential,
  type RegistrationOptions,
} from '../../../protocol/passkey.ts';
import { compact } from '../../../protocol/wire/compact.ts';
import { Fault } from '../../../protocol/wire/fault.ts';
import { isoTime } from '../../../protocol/wire/time.ts';
import {
  type EnrollmentRow,
  findEnrollmentByHash,
  insertEnrollment,
} from '../../store/statements/people/enrollments.ts';
import type { Script } from '../../store/store.ts';
import type { Deps } from '../core/deps.ts';
import { inOneCommit, useCase } from '../core/useCase.ts';
import { recordNodeEvent } from '../evidence/recordEvent.ts';
import { loadAgent } from '../policies/loadFacts.ts';
import { finishRegistration, openRegistration } from './registerPasskey.ts';

export const createEnrollment = useCase({
  summary: 'Creates a link by which a person enrolls one passkey for an agent, without any other credential.',
  input: CreateEnrollment,
  output: Enrollment,
  permission: 'admin',
  faults: ['NOT_FOUND', 'CONFLICT'],
  run: inOneCommit<CreateEnrollment, Enrollment>(function* (deps, caller, input, { now }) {
    const { tenantId } = caller;
    const { agentDid, deviceName, ttlSeconds } = input;
    const agent = yield* loadAgent(tenantId, agentDid);
    if (agent.status === 'REVOKED')
      throw new Fault('CONFLICT', 'This agent was revoked; nothing can be enrolled for it.');
    const id = deps.newId('enr_');
    const token = deps.newToken('');
    const expiresAt = now + ttlSeconds * 1000;
    yield* insertEnrollment({
      id,
      tenant_id: tenantId,
      token_hash: deps.hashToken(token),
      agent_did: agentDid,
      device_name: deviceName ?? null,
      created_at: now,
      expires_at: expiresAt,
    });
    const until = isoTime(expiresAt);
    const data = { agentDid, enrollmentId: id, expiresAt: until };
    yield* recordNodeEvent(deps, tenantId, 'HP_LINK_CREATED', data, now);
    return { id, agentDid, url: `${deps.settings.baseUrl}/enroll/${token}`, expiresAt: until };
  }),
});

/** What the link's page shows. @throws Fault NOT_FOUND when the link is unknown, used or expired */
export function viewEnrollment(deps: Deps, token: string): Promise<EnrollmentView> {
  return deps.store.read(function* (now) {
    const enrollment = yield* loadEnrollment(deps, token, now);
    const agent = yield* loadAgent(enrollment.tenant_id, enrollment.agent_did);
    return compact({
      agent: inertText(agent.display_name) || 'An agent',
      deviceName: enrollment.device_name ?? undefined,
      expiresAt: isoTime(enrollment.expires_at),
    });
  });
}

/** @throws Fault NOT_FOUND when the link is unknown, used or expired */
export async function beginEnrollment(deps: Deps, token: string, deviceName: string): Promise<RegistrationOptions> {
  const enrollment = await deps.store.read((now) => loadEnrollment(deps, token, now));
  const { tenant_id: tenantId, agent_did: agentDid } = enrollment;
  return deps.store.write(tenantId, (now) =>
    openRegistration(deps, { tenantId, agentDid, deviceName, enrollment }, now),
  );
}

/** Enrolls the passkey and uses the link up, both or neither. */
export async function completeEnrollment(
  deps: Deps,
  token: string,
  credential: RegistrationCredential,
): Promise<Passkey> {
  const enrollment = await deps.store.read((now) => loadEnrollment(deps, token, now));
  const { tenant_id: tenantId, agent_did: agentDid } = enrollment;
  return finishRegistration(deps, { tenantId, agentDid, enrollment }, credential);
}

function* loadEnrollment(deps: Deps, token: string, now: number): Script<EnrollmentRow> {
  const enrollment = yield* findEnrollmentByHash(deps.hashToken(token));
  if (enrollment === undefined || enrollment.used_at !== null || enrollment.expires_at <= now) {
    throw new Fault('NOT_FOUND', 'This link was used or has expired; ask for a new one.');
  }
  return enrollment;
}
