/** What stands around every screen: the way to each of them, at the side on a desk and below on a phone. */
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { Me } from '../login/login.ts';
import { runsWith } from '../node/here.ts';
import { Cards } from '../parts/holders/ExtensionCards.tsx';
import { Screens } from '../parts/SubPlaces.tsx';
import { AccountButton } from './account/AccountButton.tsx';
import { Brand } from './Brand.tsx';
import { Lazy } from './Lazy.tsx';
import { Navigation } from './Navigation.tsx';
import { hrefOf } from './places.ts';
import { place, scrolledTo } from './route.ts';
import { SearchButton } from './SearchButton.tsx';
import { CARDS, extensionAt, SCREENS, screenAt } from './screens.ts';
import { scrollBack } from './scrollBack.ts';

export function Frame({ me }: { readonly me: Me }) {
  if (me.role === 'PENDING') return <Pending />;
  return (
    <div class="frame">
      <button type="button" class="skip button second" onClick={() => document.getElementById('main')?.focus()}>
        Skip to the screen
      </button>
      <header class="side">
        <Brand />
        <SearchButton />
        <Navigation />
        <AccountButton me={me} />
      </header>
      <Outlet />
    </div>
  );
}

function Outlet() {
  const { path, query } = place.value;
  const main = useRef<HTMLElement>(null);
  const shown = useRef(path);
  const found = screenAt(path);
  const title = found?.screen.title ?? 'Not found';
  // At once: a key that is pressed on the way is for the screen that comes.
  useLayoutEffect(() => {
    document.title = `${title} · Countersign`;
    if (shown.current === path) return undefined;
    shown.current = path;
    // The line of a table that the user comes back to has it then.
    if (document.activeElement?.closest('tr[data-key]') == null) main.current?.focus({ preventScroll: true });
    const left = scrolledTo();
    if (left !== undefined && left > 0) return scrollBack(left);
    scrollTo(0, 0);
    return undefined;
  }, [path, title]);
  return (
    <main id="main" ref={main} tabIndex={-1}>
      {found === undefined ? (
        <NotFound path={path} />
      ) : (
        <Screens.Provider value={SCREENS}>
          <Cards.Provider value={CARDS}>
            <Lazy load={found.screen.load} props={{ params: found.params ?? {}, query }} />
          </Cards.Provider>
        </Screens.Provider>
      )}
    </main>
  );
}

function NotFound({ path }: { readonly path: string }) {
  const extension = extensionAt(path);
  const isAbsent = extension !== undefined && !runsWith(extension);
  return (
    <>
      <h1>There is nothing here</h1>
      <p>
        {isAbsent ? `This node runs without ${extension}.` : 'The address leads to no screen that you may see.'}{' '}
        <a href={hrefOf('/')}>Go to Today</a>
      </p>
    </>
  );
}

function Pending() {
  return (
    <main class="alone">
      <Brand />
      <section class="card">
        <h1>Your access is pending</h1>
        <p>You have signed in, but you have no role yet. Ask an owner of this node, then open this page again.</p>
      </section>
    </main>
  );
}
