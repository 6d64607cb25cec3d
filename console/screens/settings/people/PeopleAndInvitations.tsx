/** Who else looks and decides here, and who was invited to. */
import { isOwner } from '../../../login/may.ts';
import { node } from '../../../node/node.ts';
import { useLoaded } from '../../../node/useLoaded.ts';
import { Shown } from '../../../parts/Shown.tsx';
import { SettingsFrame } from '../SettingsFrame.tsx';
import { Invitations } from './Invitations.tsx';
import { People } from './People.tsx';

const MOST = 200;

export function PeopleAndInvitations() {
  const found = useLoaded('people', load, ['user', 'login', 'invitation']);
  return (
    <SettingsFrame>
      <Shown of={found} rows={2} height={11}>
        {({ users, invitations }) => (
          <>
            <People users={users} onDone={found.reload} />
            {invitations !== undefined && <Invitations invitations={invitations} onDone={found.reload} />}
          </>
        )}
      </Shown>
    </SettingsFrame>
  );
}

/** No more than the person may see. */
async function load(signal: AbortSignal) {
  const page = { limit: MOST };
  const [users, invitations] = await Promise.all([
    node.listUsers(page, { signal }),
    isOwner() ? node.listInvitations(page, { signal }) : undefined,
  ]);
  return { users: users.data, invitations: invitations?.data };
}
