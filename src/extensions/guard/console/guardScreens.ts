/** What the extension shows in the console. */
import type { ExtensionScreens } from '../../../../console/shell/screens.ts';

/** Together: one file packs better than many. */
const places = () => import('./guardPlaces.ts').then(({ GUARD_PLACES }) => GUARD_PLACES);

export const guardScreens: ExtensionScreens = {
  extension: 'guard',
  screens: [
    {
      pattern: '/settings/guards',
      title: 'Guards',
      permission: 'read',
      tab: 'Guards',
      load: () => places().then(({ Guards }) => Guards),
    },
    {
      pattern: '/settings/guards/:id',
      title: 'Guard',
      permission: 'read',
      load: () => places().then(({ OneGuard }) => OneGuard),
    },
  ],
  cards: [{ on: '/agents/:did', permission: 'read', load: () => places().then(({ GuardsCard }) => GuardsCard) }],
};
