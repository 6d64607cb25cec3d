/**
 * Links that were not used yet: they end with the power to make them. Who is let out would otherwise come back by an
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
import type { EventDeps } from '../../usecase/deps.ts';
import { recordAdminEvent } from '../evidence/recordEvent.ts';

const DAY_MS = 24 * 3600 * 1000;
/** The longest that a link of each kind works: an older one leads nowhere. */
const LONGEST_MS = { INVITATION_CREATED: 7 * DAY_MS, HP_LINK_CREATED: DAY_MS };
const PAGE = 200;

/** What a person or a key may make no longer. */
interface Lost {
  readonly invites: boolean;
  readonly enrolls: boolean;
}

/** Withdraws what a person made, or a key of theirs. @returns as withdrawLinks */
export function* withdrawLinksOf(
  deps: EventDeps,
  caller: Caller,
  { tenant_id: tenantId, id }: UserRow,
  lost: Lost,
  now: number,
): Script<readonly string[]> {
  const keys = yield* listKeyIdsOfUser(tenantId, id);
  const makers = new Set([`user ${id}`, ...keys.map((key) => `key ${key}`)]);
  return yield* withdrawLinks(deps, caller, makers, lost, now);
}

/**
 * Withdraws what was made by any of several makers. Who made a link only the evidence says.
 * @param makers each as `user` or `key`, a space, and the id
 * @returns the ids of the enrollments, for the event of the change; invitations have events of their own
 */
export function* withdrawLinks(
  deps: EventDeps,
  caller: Caller,
  makers: ReadonlySet<string>,
  lost: Lost,
  now: number,
): Script<readonly string[]> {
  const { tenantId } = caller;
  for (const { invitationId } of lost.invites ? yield* linksOf(tenantId, makers, 'INVITATION_CREATED', now) : []) {
    const id = String(invitationId);
    const row = yield* findInvitation(tenantId, id);
    if (row === undefined || !(yield* withdrawInvitation(tenantId, id))) continue;
    const facts = compact({ invitationId: id, userId: row.user_id, role: row.role });
    yield* recordAdminEvent(deps, caller, 'INVITATION_WITHDRAWN', facts, now);
  }
  const withdrawn: string[] = [];
  for (const { enrollmentId } of lost.enrolls ? yield* linksOf(tenantId, makers, 'HP_LINK_CREATED', now) : []) {
    const id = String(enrollmentId);
    if (yield* withdrawEnrollment(tenantId, id)) withdrawn.push(id);
  }
  return withdrawn;
}

/** The links of one kind by these makers that may still work. */
function* linksOf(
  tenantId: string,
  makers: ReadonlySet<string>,
  eventType: keyof typeof LONGEST_MS,
  now: number,
): Script<LinkData[]> {
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
