/** What the extension shows in the console. */
import type { ExtensionScreens } from '../../../../console/shell/screens.ts';

export const x402Screens: ExtensionScreens = {
  extension: 'x402',
  screens: [
    {
      pattern: '/settings/wallets',
      title: 'Wallets',
      permission: 'admin',
      tab: 'Wallets',
      load: () => import('./Wallets.tsx').then(({ Wallets }) => Wallets),
    },
  ],
};
