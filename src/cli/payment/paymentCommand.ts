/** `countersign payment`: what its commands take. */
import type { Command } from 'commander';
import { operationOptions } from '../input/operationOptions.ts';
import { choice, limit } from '../input/optionTypes.ts';
import { targetOptions } from '../target/targetOptions.ts';

export function declarePayment(program: Command, env: NodeJS.ProcessEnv): void {
  const payment = program
    .command('payment')
    .description('Show payments and their disputes; capture, cancel and refund them; ask the rail how one stands.');
  operationOptions(targetOptions(payment.command('list'), 'read'), 'listPayments')
    .description('List payments, newest first.')
    .option('--csv', 'all that is found as CSV, regardless of --limit')
    .addOption(limit())
    .action(async (options) => (await import('./paymentActions.ts')).listPayments(env, options));
  targetOptions(payment.command('show <id>'), 'read')
    .description('Show one payment; with --json its signed mandate too.')
    .action(async (id, options) => (await import('./paymentActions.ts')).showPayment(env, id, options));
  operationOptions(targetOptions(payment.command('disputes'), 'read'), 'listDisputes')
    .description('List disputes, newest first; a payment’s own are in: payment show.')
    .option('--csv', 'all that is found as CSV, regardless of --limit')
    .addOption(limit())
    .action(async (options) => (await import('./paymentActions.ts')).listDisputes(env, options));
  targetOptions(payment.command('journal <month>'), 'read')
    .description(
      'Print what was paid, refunded and disputed in a month, such as 2026-11, as a journal in double entry.',
    )
    .addOption(choice('--format <format>', 'of the text', ['csv', 'beancount']).default('csv'))
    .option('--timezone <zone>', 'in which days begin at midnight, such as Europe/Berlin; UTC when absent')
    .action(async (month, options) => (await import('./paymentActions.ts')).printJournal(env, month, options));
  targetOptions(payment.command('dispute-pack <id> [file]'), 'read')
    .description('Save what answers the disputes of a payment: a zip archive with a page to print, and the evidence.')
    .action(async (id, file, options) => (await import('./paymentActions.ts')).saveDisputePack(env, id, file, options));
  targetOptions(payment.command('dispute-evidence <dispute>'), 'admin')
    .description(
      'Lay down at the rail what answers a dispute, for a person to look at; with --submit the bank gets it.',
    )
    .option('--submit', 'submit it to the bank; it cannot be changed any more')
    .action(async (id, options) => (await import('./paymentActions.ts')).answerDispute(env, id, options));
  operationOptions(targetOptions(payment.command('dispute-submitted <dispute>'), 'admin'), 'submitDispute')
    .description('Record that evidence was submitted for a dispute: what, and where.')
    .action(async (id, options) => (await import('./paymentActions.ts')).submitDispute(env, id, options));
  operationOptions(targetOptions(payment.command('capture <id>'), 'write'), 'capturePayment')
    .description('Capture the authorized amount, or part of it.')
    .action(async (id, options) => (await import('./paymentActions.ts')).capturePayment(env, id, options));
  targetOptions(payment.command('cancel <id>'), 'write')
    .description('Cancel an authorization; the amount is not taken.')
    .action(async (id, options) => (await import('./paymentActions.ts')).cancelPayment(env, id, options));
  operationOptions(targetOptions(payment.command('refund <id>'), 'write'), 'refundPayment')
    .description('Refund the captured amount, or part of it.')
    .option('--reference <text>', 'of a payment elsewhere: what shows that money came back, such as a credit note')
    .action(async (id, options) => (await import('./paymentActions.ts')).refundPayment(env, id, options));
  targetOptions(payment.command('reconcile <id>'), 'write')
    .description('Ask the rail at once about a payment whose outcome is open.')
    .action(async (id, options) => (await import('./paymentActions.ts')).reconcilePayment(env, id, options));
  operationOptions(targetOptions(payment.command('settle <id>'), 'admin'), 'settlePayment')
    .description('Say how a payment ended that its merchant settles, where nothing can be asked about it any more.')
    .action(async (id, options) => (await import('./paymentActions.ts')).settlePayment(env, id, options));
}
