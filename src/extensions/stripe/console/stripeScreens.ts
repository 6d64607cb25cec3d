/** What the extension shows in the console. */
import type { ExtensionScreens } from '../../../../console/shell/screens.ts';

export const stripeScreens: ExtensionScreens = {
  extension: 'stripe',
  screens: [
    {
      pattern: '/settings/tokens',
      title: 'Payment tokens',
      permission: 'admin',
      tab: 'Tokens',
      load: () => import('./PaymentTokens.tsx').then(({ PaymentTokens }) => PaymentTokens),
    },
  ],
};
