/** `countersign notify`: what its commands take. */
import type { Command } from 'commander';
import { NOTICE_KINDS, NOTICE_TOPICS } from '../input/closedLists.ts';
import { choices, count } from '../input/optionTypes.ts';
import { targetOptions } from '../target/targetOptions.ts';

export function declareNotify(program: Command, env: NodeJS.ProcessEnv): void {
  const notify = program
    .command('notify')
    .description('Choose where the notifications of people go: e-mail, Slack, Discord, Teams, Telegram, ntfy.');
  const sub = (name: string) =>
    targetOptions(notify.command(name), 'admin').option(
      '--user <id>',
      'whose notifications; needed with a key, which is no person',
    );
  sub('add <kind> [address]')
    .description(`Send notifications to an address: ${NOTICE_KINDS.join(', ')}. A code confirms an e-mail address.`)
    .addHelpText(
      'after',
      [
        '',
        'The address is an e-mail address, the webhook’s URL, or the id of a Telegram chat. A webhook’s URL is a',
        'secret: leave it out, and it is read from standard input.',
      ].join('\n'),
    )
    .option('--name <name>', 'what to call the place; the kind where it is not given')
    .addOption(
      choices('--about <list>', 'what to tell', NOTICE_TOPICS).default(
        ['approvals', 'disputes', 'agents'],
        'all but payments and the digest',
      ),
    )
    .option('--details', 'tell amounts and merchants, which the service then stores')
    .addOption(count('--weekday <number>', 'of the digest, 1 for Monday'))
    .option('--hour <hour>', 'of the digest, 0 to 23', Number)
    .option('--timezone <zone>', 'of the digest, such as Europe/Berlin; UTC where it is not given')
    .option('--token-file <path>', 'a file with the token of the Telegram bot, or of the ntfy topic')
    .action(async (kind, address, options) =>
      (await import('./notifyActions.ts')).addPlace(env, kind, address, options),
    );
  sub('confirm <id> <code>')
    .description('Give back the code that was sent to an e-mail address.')
    .action(async (id, code, options) => (await import('./notifyActions.ts')).confirmPlace(env, id, code, options));
  sub('list')
    .description('List where notifications go, and whether they arrive.')
    .action(async (options) => (await import('./notifyActions.ts')).listPlaces(env, options));
  sub('test <id>')
    .description('Send a test from the node, and show the result; exit code 1 where it fails.')
    .action(async (id, options) => (await import('./notifyActions.ts')).testPlace(env, id, options));
  sub('remove <id>')
    .description('Send no more notifications to an address.')
    .action(async (id, options) => (await import('./notifyActions.ts')).removePlace(env, id, options));
}
