/** What extensions show in the console: each lies in the folder of its extension, and is taken away with its two lines here. */
import { backupsScreens } from '../src/extensions/backups/console/backupsScreens.ts';
import { guardScreens } from '../src/extensions/guard/console/guardScreens.ts';
import { mandatesScreens } from '../src/extensions/mandates/console/mandatesScreens.ts';
import { playgroundScreens } from '../src/extensions/playground/console/playgroundScreens.ts';
import { stripeScreens } from '../src/extensions/stripe/console/stripeScreens.ts';
import { x402Screens } from '../src/extensions/x402/console/x402Screens.ts';
import type { ExtensionScreens } from './shell/screens.ts';

export const EXTENSION_SCREENS: readonly ExtensionScreens[] = [
  // In the order in which their places stand.
  mandatesScreens,
  guardScreens,
  playgroundScreens,
  stripeScreens,
  x402Screens,
  backupsScreens,
];
