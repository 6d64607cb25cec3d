/** Signing in: with a passkey, or at the identity provider where one is configured. */
import { useEffect, useState } from 'preact/hooks';
import { enter } from '../../login/login.ts';
import { canUsePasskeys, usePasskey } from '../../login/passkeyCeremony.ts';
import { beginSignIn, completeSignIn, type Ways, waysIn } from '../../login/people.ts';
import { explain } from '../../node/explainError.ts';
import { BASE_URL, HOME, homeUrl, IS_AT_HOME } from '../../node/here.ts';
import { Button } from '../../parts/Button.tsx';
import { Icon } from '../../parts/Icon.tsx';
import { Brand } from '../../shell/Brand.tsx';

/** Until the node has said which ways there are; the passkey is always one. */
const USUAL: Ways = { passkey: true, provider: false, welcome: false };

export function SignIn() {
  const [ways, setWays] = useState(USUAL);
  const [trouble, setTrouble] = useState<string>();
  useEffect(() => {
    document.title = 'Sign in · Countersign';
    waysIn().then(setWays, () => undefined);
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
        <h1>Sign in</h1>
        <p class="quiet">Look at what your agents buy, and decide.</p>
        {ways.welcome && <FirstStart />}
        {trouble !== undefined && (
          <p class="trouble" role="alert">
            {trouble}
          </p>
        )}
        {IS_AT_HOME ? (
          <div class="buttons stacked">
            {ways.passkey && (
              <Button kind="first" onClick={signIn} disabled={!canUsePasskeys()}>
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
      </section>
      <p class="quiet lone-help">
        Lost every passkey? Whoever runs this node makes a way back in: <code>countersign user invite</code>
      </p>
    </main>
  );
}

function FirstStart() {
  return (
    <p class="note">
      Nobody owns this node yet. Its first start printed a line with a link to <code>/console/#/welcome/…</code>: open
      it to make the first passkey. <code>countersign user invite --role OWNER</code> prints another.
    </p>
  );
}

function Elsewhere() {
  return (
    <p class="note">
      Passkeys work under the name of this node. Open the console <a href={homeUrl()}>at {HOME.host}</a>.
    </p>
  );
}
