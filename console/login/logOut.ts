/** Signs out: whoever does so on a device is told nothing there any more. */
import { isTold } from '../notifications/wish.ts';
import { endLogin } from './login.ts';

export async function logOut(): Promise<void> {
  if (isTold())
    await import('../notifications/thisBrowser.ts').then(({ stopTelling }) => stopTelling()).catch(() => undefined);
  await endLogin();
}
