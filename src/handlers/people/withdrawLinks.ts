/**
 * Links that nobody has used yet: they end with the power to make them. Who is let out would otherwise come back by an
 * invitation, or go on approving by an enrollment, that they had laid by.
 */
import { compact } from '../../../protocol/wire/compact.ts';
import type { Caller } from '../../access/caller.ts';
import { listKeyIdsOfUser } from '../../store/statements/callers/apiKeys.ts';
import { listEvidence } from '../../store/statements/evidence/search.ts';
import { withdrawEnrollment } from '../../store/statements/people/enrollments.ts';
import { findInvitation, withdrawInvitation } from '../../store/statements/people/invitations.ts';
import type { UserRow } from '../../store/statements/people/users.ts';
import type { Script } from '../../store/store.ts';
import type { Deps } from '../core/deps.ts';
import { recordAdminEvent } from '../evidence/recordEvent.ts';

/** No link works longer than the longest invitation. */
const LONGEST_MS = 7 * 24 * 3600 * 1000;
const PAGE = 200;

/** What somebody may make no longer. */
interface Lost {
  readonly invites: boolean;
  readonly enrolls: boolean;
}

/** Links that somebody made, as evidence names them. */
interface Made {
  readonly invitations: readonly string[];
  readonly enrollments: readonly string[];
}

/**
 * Withdraws what a person made, or a key of theirs. Who made a link only the evidence says.
 * @returns the ids of the enrollments, for the event of the change; invitations have events of their own
 */
export function* withdrawLinksOf(
  deps: Deps,
  caller: Caller,
  user: UserRow,
  lost: Lost,
  now: number,
): Script<readonly string[]> {
  if (!lost.invites && !lost.enrolls) return [];
  const made = yield* linksOf(user, now - LONGEST_MS);
  for (const id of lost.invites ? made.invitations : []) {
    const row = yield* findInvitation(user.tenant_id, id);
    if (row === undefined || !(yield* withdrawInvitation(user.tenant_id, id))) continue;
    const facts = compact({ invitationId: id, userId: row.user_id, role: row.role });
    yield* recordAdminEvent(deps, caller, 'INVITATION_WITHDRAWN', facts, now);
  }
  const withdrawn: string[] = [];
  for (const id of lost.enrolls ? made.enrollments : []) {
    if (yield* withdrawEnrollment(user.tenant_id, id)) withdrawn.push(id);
  }
  return withdrawn;
}

function* linksOf({ tenant_id: tenantId, id }: UserRow, from: number): Script<Made> {
  const makers = new Set([`user ${id}`, ...(yield* listKeyIdsOfUser(tenantId, id)).map((key) => `key ${key}`)]);
  const filter = { eventTypes: ['INVITATION_CREATED', 'HP_LINK_CREATED'], from };
  const made = { invitations: [] as string[], enrollments: [] as string[] };
  let before: number | undefined;
  do {
    const rows = yield* listEvidence(tenantId, filter, before, PAGE);
    for (const { event_type: type, data } of rows) {
      const { by, invitationId, enrollmentId } = JSON.parse(data) as LinkData;
      if (!makers.has(`${by.kind} ${by.id}`)) continue;
      if (type === 'INVITATION_CREATED') made.invitations.push(String(invitationId));
      else made.enrollments.push(String(enrollmentId));
    }
    before = rows.length < PAGE ? undefined : rows.at(-1)?.seq;
  } while (before !== undefined);
  return made;
}

interface LinkData {
  readonly by: { readonly kind: string; readonly id: string };
  readonly invitationId?: string;
  readonly enrollmentId?: string;
}
