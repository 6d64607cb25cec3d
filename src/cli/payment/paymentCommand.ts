/** `countersign payment`: what its commands take. */
import type { Command } from 'commander';
import { DISPUTE_STATUSES, PAYMENT_STATUSES } from '../input/closedLists.ts';
import { amount, choice, limit, moment } from '../input/optionTypes.ts';
import { targetOptions } from '../target/targetOptions.ts';

export function declarePayment(program: Command, env: NodeJS.ProcessEnv): void {
  const payment = program
    .command('payment')
    .description('Show payments and their disputes; capture, cancel and refund them; ask the rail how one stands.');
  targetOptions(payment.command('list'), 'read')
    .description('List payments, newest first.')
    .addOption(choice('--status <status>', 'only these', PAYMENT_STATUSES))
    .option('--agent <agent>', 'only of this agent, by its DID or name')
    .option('--merchant <domain>', 'only at this merchant')
    .addOption(moment('--from <moment>', 'from this moment on'))
    .addOption(moment('--to <moment>', 'up to this moment'))
    .addOption(amount('--min <amount>', 'of at least so much'))
    .addOption(amount('--max <amount>', 'of at most so much'))
    .option('--currency <code>', 'only in this currency')
    .option('--csv', 'all that is found as CSV, regardless of --limit')
    .addOption(limit())
    .action(async (options) => (await import('./paymentActions.ts')).listPayments(env, options));
  targetOptions(payment.command('show <id>'), 'read')
    .description('Show one payment; with --json its signed mandate too.')
    .action(async (id, options) => (await import('./paymentActions.ts')).showPayment(env, id, options));
  targetOptions(payment.command('disputes'), 'read')
    .description('List disputes, newest first; a payment’s own are in: payment show.')
    .addOption(choice('--status <status>', 'only these', DISPUTE_STATUSES))
    .option('--agent <agent>', 'only of this agent, by its DID or name')
    .option('--csv', 'all that is found as CSV, regardless of --limit')
    .addOption(limit())
    .action(async (options) => (await import('./paymentActions.ts')).listDisputes(env, options));
  targetOptions(payment.command('capture <id>'), 'write')
    .description('Capture the authorized amount, or part of it.')
    .addOption(amount('--amount <amount>', 'only so much'))
    .action(async (id, options) => (await import('./paymentActions.ts')).capturePayment(env, id, options));
  targetOptions(payment.command('cancel <id>'), 'write')
    .description('Cancel an authorization; the amount is not taken.')
    .action(async (id, options) => (await import('./paymentActions.ts')).cancelPayment(env, id, options));
  targetOptions(payment.command('refund <id>'), 'write')
    .description('Refund the captured amount, or part of it.')
    .addOption(amount('--amount <amount>', 'only so much'))
    .action(async (id, options) => (await import('./paymentActions.ts')).refundPayment(env, id, options));
  targetOptions(payment.command('reconcile <id>'), 'write')
    .description('Ask the rail at once about a payment whose outcome is open.')
    .action(async (id, options) => (await import('./paymentActions.ts')).reconcilePayment(env, id, options));
}
