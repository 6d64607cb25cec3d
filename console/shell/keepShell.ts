/** Has the browser keep the page itself, so that the console opens without a network. */
import { SHELL_WORKER } from '../node/here.ts';
import { scriptUrl } from '../node/scriptUrl.ts';

export function keepShell(): void {
  if (!('serviceWorker' in navigator)) return;
  // A private window may store nothing; the console then needs a network.
  navigator.serviceWorker.register(scriptUrl(SHELL_WORKER) as string).catch(() => undefined);
}
