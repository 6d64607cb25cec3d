/** Signs out: the device shows the user no more notifications. */
import { hasNotifications } from '../notifications/preferences.ts';
import { endLogin } from './login.ts';

export async function logOut(): Promise<void> {
  if (hasNotifications())
    await import('../notifications/thisBrowser.ts').then(({ stopTelling }) => stopTelling()).catch(() => undefined);
  await endLogin();
}
