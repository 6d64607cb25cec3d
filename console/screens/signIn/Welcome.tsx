/** An invitation: a name, a passkey, and in. The first one makes the owner of the node. */
import { useEffect, useState } from 'preact/hooks';
import { enter } from '../../login/login.ts';
import { canUsePasskeys, makePasskey } from '../../login/passkeyCeremony.ts';
import { acceptInvitation, beginInvitation, type ListedInvitation, viewInvitation } from '../../login/people.ts';
import { explain } from '../../node/explainError.ts';
import { HOME, homeUrl, IS_AT_HOME } from '../../node/here.ts';
import { Field } from '../../parts/form/Field.tsx';
import { Form } from '../../parts/form/Form.tsx';
import { Skeleton } from '../../parts/Skeleton.tsx';
import { Brand } from '../../shell/Brand.tsx';
import { go } from '../../shell/route.ts';

const MEANING: Readonly<Record<string, string>> = {
  OWNER: 'You will decide everything here: what agents may spend, and who else may look and decide.',
  ADMIN: 'You will be able to do everything here but give roles.',
  MEMBER: 'You will see everything, and may capture and refund payments.',
  VIEWER: 'You will see everything, and change nothing.',
};

export function Welcome({ token }: { readonly token: string }) {
  const [invitation, setInvitation] = useState<ListedInvitation>();
  const [gone, setGone] = useState<string>();
  useEffect(() => {
    document.title = 'Welcome · Countersign';
    viewInvitation(token).then(setInvitation, (error: unknown) => setGone(explain(error).message));
  }, [token]);
  return (
    <main class="alone">
      <Brand />
      <section class="card">
        {gone !== undefined && <Gone reason={gone} />}
        {gone === undefined && invitation === undefined && <Skeleton rows={2} />}
        {invitation !== undefined && <Join token={token} invitation={invitation} />}
      </section>
    </main>
  );
}

function Gone({ reason }: { readonly reason: string }) {
  return (
    <>
      <h1>This invitation is no longer valid</h1>
      <p>{reason}</p>
      <p class="quiet">
        A link works once, within 24 hours. The operator of this node can create another:{' '}
        <code>countersign user invite</code>
      </p>
      <a class="button second" href="#/">
        Sign in
      </a>
    </>
  );
}

function Join({ token, invitation }: { readonly token: string; readonly invitation: ListedInvitation }) {
  const [name, setName] = useState(invitation.name ?? '');
  const join = async () => {
    const { publicKey } = await beginInvitation(token, name);
    enter(await acceptInvitation(token, name, await makePasskey(publicKey)));
    go('#/', { replace: true });
  };
  return (
    <>
      <h1>Welcome</h1>
      <p>{MEANING[invitation.role] ?? ''}</p>
      {IS_AT_HOME ? (
        <Form act="Create my passkey" isWide disabled={name.trim() === '' || !canUsePasskeys()} onSubmit={join}>
          <Field
            label="Your name"
            name="name"
            value={name}
            onInput={setName}
            input={{ autoComplete: 'name', required: true, maxLength: 100, autoFocus: true }}
            hint="Shown to the other people of this node, and with your decisions."
          />
        </Form>
      ) : (
        <p class="note">
          Passkeys work under the name of this node. Open this link <a href={homeUrl()}>at {HOME.host}</a>.
        </p>
      )}
      <p class="quiet">There is no password. Your device keeps the key, and asks for your finger, face or PIN.</p>
    </>
  );
}
