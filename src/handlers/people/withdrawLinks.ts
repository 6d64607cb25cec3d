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

const DAY_MS = 24 * 3600 * 1000;
/** The longest that a link of each kind works: an older one leads nowhere. */
const LONGEST_MS = { INVITATION_CREATED: 7 * DAY_MS, HP_LINK_CREATED: DAY_MS };
const PAGE = 200;

/** What somebody may make no longer. */
interface Lost {
  readonly invites: boolean;
  readonly enrolls: boolean;
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
  for (const { invitationId } of lost.invites ? yield* linksOf(user, 'INVITATION_CREATED', now) : []) {
    const id = String(invitationId);
    const row = yield* findInvitation(user.tenant_id, id);
    if (row === undefined || !(yield* withdrawInvitation(user.tenant_id, id))) continue;
    const facts = compact({ invitationId: id, userId: row.user_id, role: row.role });
    yield* recordAdminEvent(deps, caller, 'INVITATION_WITHDRAWN', facts, now);
  }
  const withdrawn: string[] = [];
  for (const { enrollmentId } of lost.enrolls ? yield* linksOf(user, 'HP_LINK_CREATED', now) : []) {
    const id = String(enrollmentId);
    if (yield* withdrawEnrollment(user.tenant_id, id)) withdrawn.push(id);
  }
  return withdrawn;
}

/** The links of one kind that a person, or a key of theirs, made and that may still work. */
function* linksOf(
  { tenant_id: tenantId, id }: UserRow,
  eventType: keyof typeof LONGEST_MS,
  now: number,
): Script<LinkData[]> {
  const makers = new Set([`user ${id}`, ...(yield* listKeyIdsOfUser(tenantId, id)).map((key) => `key ${key}`)]);
  const filter = { eventTypes: [eventType], from: now - LONGEST_MS[eventType] };
  const made: LinkData[] = [];
  let before: number | undefined;
  do {
    const rows = yield* listEvidence(tenantId, filter, before, PAGE);
    const links = rows.map(({ data }) => JSON.parse(data) as LinkData);
    made.push(...links.filter(({ by }) => makers.has(`${by.kind} ${by.id}`)));
    before = rows.length < PAGE ? undefined : rows.at(-1)?.seq;
  } while (before !== undefined);
  return made;
}

interface LinkData {
  readonly by: { readonly kind: string; readonly id: string };
  readonly invitationId?: string;
  readonly enrollmentId?: string;
}
