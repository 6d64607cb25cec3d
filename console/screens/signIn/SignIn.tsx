/** Signing in: with a passkey, or at the identity provider where one is configured. */
import { useEffect, useState } from 'preact/hooks';
import { enter } from '../../login/login.ts';
import { canUsePasskeys, usePasskey } from '../../login/passkeyCeremony.ts';
import { beginSignIn, completeSignIn, type SignInMethods, waysIn } from '../../login/people.ts';
import { explain } from '../../node/explainError.ts';
import { BASE_URL, HOME, homeUrl, IS_AT_HOME } from '../../node/here.ts';
import { Button } from '../../parts/Button.tsx';
import { CopyText } from '../../parts/CopyText.tsx';
import { Icon } from '../../parts/Icon.tsx';
import { Skeleton } from '../../parts/Skeleton.tsx';
import { Brand } from '../../shell/Brand.tsx';

/** Where the node does not say which ways there are. */
const USUAL: SignInMethods = { passkey: true, provider: false, welcome: false };

export function SignIn() {
  const [ways, setWays] = useState<SignInMethods>();
  const [trouble, setTrouble] = useState<string>();
  useEffect(() => {
    document.title = 'Sign in · Countersign';
    waysIn().then(setWays, () => setWays(USUAL));
  }, []);
  const signIn = async () => {
    setTrouble(undefined);
    try {
      const { publicKey } = await beginSignIn();
      enter(await completeSignIn(await usePasskey(publicKey)));
    } catch (error) {
      setTrouble(explain(error).message);
    }
  };
  return (
    <main class="alone">
      <Brand />
      <section class="card">
        {ways === undefined ? <Skeleton rows={2} /> : <Door ways={ways} trouble={trouble} onTouch={signIn} />}
      </section>
      {ways?.welcome === false && (
        <p class="quiet lone-help">
          Lost every passkey? The operator of this node can create a new link: <code>countersign user invite</code>
        </p>
      )}
    </main>
  );
}

interface DoorProps {
  readonly ways: SignInMethods;
  readonly trouble: string | undefined;
  onTouch(): Promise<void>;
}

function Door({ ways, trouble, onTouch }: DoorProps) {
  return (
    <>
      {ways.welcome ? (
        <FirstStart hasProvider={ways.provider} />
      ) : (
        <>
          <h1>Sign in</h1>
          <p class="quiet">See what your agents buy, and approve or deny it.</p>
        </>
      )}
      {trouble !== undefined && (
        <p class="trouble" role="alert">
          {trouble}
        </p>
      )}
      {IS_AT_HOME ? (
        <div class="buttons stacked">
          {ways.passkey && (
            <Button kind={ways.welcome ? 'second' : 'first'} onClick={onTouch} disabled={!canUsePasskeys()}>
              <Icon name="touch" /> Sign in with a passkey
            </Button>
          )}
          {ways.provider && (
            <a class="button second" href={`${BASE_URL}/ap2/auth/login`}>
              Sign in with your organization
            </a>
          )}
        </div>
      ) : (
        <Elsewhere />
      )}
      {IS_AT_HOME && !canUsePasskeys() && (
        <p class="note">This browser allows no passkeys at this address. Open it over https, in a current browser.</p>
      )}
    </>
  );
}

/** The node has no owner yet: how the first one gets in. */
function FirstStart({ hasProvider }: { readonly hasProvider: boolean }) {
  return (
    <>
      <h1>Become the owner</h1>
      <p>
        This node has no owner yet. Its first start printed a link, <code>{BASE_URL}/console/#/welcome/…</code>; where
        its output is kept by others, the link lies in <code>first-welcome-link</code> in its data folder. Open it here:
        you give a name, and make the first passkey.
      </p>
      <p>The link is lost, or older than a day? On the machine of the node, this prints another one:</p>
      <CopyText name="command" text="countersign user invite --role OWNER" />
      {hasProvider && <p class="quiet">Or sign in with your organization, if the node’s settings allow it.</p>}
    </>
  );
}

function Elsewhere() {
  return (
    <p class="note">
      Passkeys work under the name of this node. Open the console <a href={homeUrl()}>at {HOME.host}</a>.
    </p>
  );
}
