/** What the extension shows in the console. */
import type { ExtensionScreens } from '../../../../console/shell/screens.ts';

export const backupsScreens: ExtensionScreens = {
  extension: 'backups',
  screens: [
    {
      pattern: '/settings/backups',
      title: 'Backups',
      permission: 'admin',
      tab: 'Backups',
      load: () => import('./BackupSchedule.tsx').then(({ BackupSchedule }) => BackupSchedule),
    },
  ],
};
