/**
 * A call by a link that was sent to a person. It cannot be guessed, so it is a credential for its own page: it is charged to a
 * bucket of its own, and strangers at the person's address do not shut them out. A link that was made up charges the address.
 */
import { isId } from '../../protocol/wire/id.ts';
import { findApprovalRequestAnywhere } from '../store/statements/people/approvals.ts';
import { findEnrollmentByHash } from '../store/statements/people/enrollments.ts';
import { findInvitationByHash } from '../store/statements/people/invitations.ts';
import type { Script } from '../store/store.ts';
import type { Deps } from '../usecase/deps.ts';
import { type CoreReply, chargeAddress } from './serveRequest.ts';

export interface PersonalLink {
  readonly kind: 'approval' | 'enrollment' | 'invitation';
  /** The part of the link that cannot be guessed. */
  readonly secret: string;
}

export async function takeLink(deps: Deps, address: string, link: PersonalLink): Promise<CoreReply> {
  const exists = await deps.store.read(() => findLink(deps, link));
  return chargeAddress(deps, address, undefined, exists ? `link ${link.kind} ${deps.hashToken(link.secret)}` : address);
}

function* findLink(deps: Deps, { kind, secret }: PersonalLink): Script<boolean> {
  if (kind === 'approval') return isId('apr_', secret) && (yield* findApprovalRequestAnywhere(secret)) !== undefined;
  const find = kind === 'enrollment' ? findEnrollmentByHash : findInvitationByHash;
  return (yield* find(deps.hashToken(secret))) !== undefined;
}
