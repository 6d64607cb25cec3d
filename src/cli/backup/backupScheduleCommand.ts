/** `countersign backup schedule`: what its commands take. */
import type { Command } from 'commander';
import { choice, count } from '../input/optionTypes.ts';
import { targetOptions } from '../target/targetOptions.ts';

/** @param backup the command that it is one of */
export function declareBackupSchedule(backup: Command, env: NodeJS.ProcessEnv): void {
  const schedule = backup
    .command('schedule')
    .description('Have the node make backups by itself, keep them elsewhere, and restore each to try it.');
  targetOptions(schedule.command('show', { isDefault: true }), 'admin')
    .description('Show when backups are made, where they are kept, and which there are.')
    .action(async (options) => (await import('./backupScheduleActions.ts')).showSchedule(env, options));
  targetOptions(schedule.command('set <place>'), 'admin')
    .description('Set it: <place> is a folder on another disk, or s3://bucket/prefix. The first one is made at once.')
    .addHelpText(
      'after',
      [
        '',
        'The key of a bucket is read from AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY. The node keeps the secret sealed,',
        'and goes on with it where only the schedule changes.',
      ].join('\n'),
    )
    .addOption(choice('--every <period>', 'how often', ['hour', 'day', 'week']).default('day'))
    .option('--hour <hour>', 'of the day, 0 to 23 by UTC', Number)
    .addOption(count('--keep <count>', 'how many stay').default(14))
    .option('--endpoint <address>', 'of a service other than Amazon S3, without the bucket')
    .option('--region <region>', 'of the bucket')
    .action(async (place, options) => (await import('./backupScheduleActions.ts')).setSchedule(env, place, options));
  targetOptions(schedule.command('start'), 'admin')
    .description('Have one made now.')
    .action(async (options) => (await import('./backupScheduleActions.ts')).startBackup(env, options));
  targetOptions(schedule.command('end'), 'admin')
    .description('End it. What was kept stays where it is.')
    .action(async (options) => (await import('./backupScheduleActions.ts')).endSchedule(env, options));
}
