/** What the extension shows in the console. */
import type { ExtensionCard, ExtensionScreens } from '../../../../console/shell/screens.ts';

/** Together: one file packs better than many. */
const places = () => import('./mandatesPlaces.ts').then(({ MANDATES_PLACES }) => MANDATES_PLACES);

const cardOn = (on: string, card: 'AgentMandates' | 'PrincipalMandates'): ExtensionCard => ({
  on,
  permission: 'read',
  load: () => places().then((loaded) => loaded[card]),
});

export const mandatesScreens: ExtensionScreens = {
  extension: 'mandates',
  screens: [
    {
      pattern: '/settings/mandates',
      title: 'Mandates',
      permission: 'read',
      tab: 'Mandates',
      load: () => places().then(({ Mandates }) => Mandates),
    },
  ],
  cards: [cardOn('/agents/:did', 'AgentMandates'), cardOn('/principals/:did', 'PrincipalMandates')],
};
