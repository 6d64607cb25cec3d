/** Has this browser go on telling its owner of what happens, where it was asked to and has lost its subscription since. */
import { effect } from '@preact/signals';
import { login } from '../login/login.ts';
import { runsWith } from '../node/here.ts';
import { hasNotifications } from '../notifications/preferences.ts';

/** The screens come first. */
const LATER_MS = 3000;

export function keepTelling(): void {
  effect(() => {
    if (login.value.at !== 'in' || !hasNotifications() || !runsWith('notices')) return;
    const goOn = () => import('../notifications/thisBrowser.ts').then(({ goOnTelling }) => goOnTelling());
    // Without a network or a push service it is tried again when the console is opened next.
    const timer = setTimeout(() => void goOn().catch(() => undefined), LATER_MS);
    return () => clearTimeout(timer);
  });
}
