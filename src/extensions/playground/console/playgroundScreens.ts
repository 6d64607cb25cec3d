/** What the extension shows in the console: its stories are made of what only a sandbox has. */
import { IS_SANDBOX } from '../../../../console/node/here.ts';
import type { ExtensionScreens, Screen } from '../../../../console/shell/screens.ts';

const PLAYGROUND: Screen = {
  pattern: '/build/playground',
  title: 'Playground',
  permission: 'admin',
  tab: 'Playground',
  load: () => import('./Playground.tsx').then(({ Playground }) => Playground),
};

export const playgroundScreens: ExtensionScreens = {
  extension: 'playground',
  screens: IS_SANDBOX ? [PLAYGROUND] : [],
};
