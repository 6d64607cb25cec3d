/** Signs out: the device shows the user no more notifications. */
import { isTold } from '../notifications/wish.ts';
import { endLogin } from './login.ts';

export async function logOut(): Promise<void> {
  if (isTold())
    await import('../notifications/thisBrowser.ts').then(({ stopTelling }) => stopTelling()).catch(() => undefined);
  await endLogin();
}
