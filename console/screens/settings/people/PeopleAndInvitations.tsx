/** Who else looks and decides here, and who was invited to. */
import { isOwner } from '../../../login/may.ts';
import { node } from '../../../node/node.ts';
import { useLoaded } from '../../../node/useLoaded.ts';
import { SheetButton } from '../../../parts/SheetButton.tsx';
import { Shown } from '../../../parts/Shown.tsx';
import { SubPlaces } from '../../../parts/SubPlaces.tsx';
import { Escalation } from './Escalation.tsx';
import { Invitations, Invite } from './Invitations.tsx';
import { People } from './People.tsx';

const MOST = 200;

export function PeopleAndInvitations() {
  const found = useLoaded('people', load, ['user', 'login', 'invitation']);
  const invite = isOwner() && (
    <SheetButton act="Invite a person" title="Invite a person" isMain>
      {(close) => <Invite onMade={found.reload} onClose={close} />}
    </SheetButton>
  );
  return (
    <SubPlaces of="/settings" act={invite}>
      <Shown of={found} rows={2} height={11}>
        {({ users, invitations, escalation }) => (
          <>
            <People users={users} onDone={found.reload} />
            <Invitations invitations={invitations} onDone={found.reload} />
            <Escalation escalation={escalation} users={users} onDone={found.reload} />
          </>
        )}
      </Shown>
    </SubPlaces>
  );
}

/** No more than the person may see. */
async function load(signal: AbortSignal) {
  const page = { limit: MOST };
  const [users, invitations, escalation] = await Promise.all([
    node.listUsers(page, { signal }),
    isOwner() ? node.listInvitations(page, { signal }) : undefined,
    node.getEscalation({}, { signal }),
  ]);
  return { users: users.data, invitations: invitations?.data ?? [], escalation };
}
