/** `countersign payment`: what was paid, and capture, cancel and refund at a running node. */
import { Command, Option } from 'commander';
import { PAYMENT_STATES, type Payment, type PaymentRecord, type PaymentStatus } from '../../../protocol/payment.ts';
import { amountOf } from '../input/numbers.ts';
import { columns, facts, localTime, money, statusCell } from '../output/layout.ts';
import { print } from '../output/print.ts';
import { DEFAULT_LIMIT, newest } from '../target/pages.ts';
import { type TargetOptions, targetOptions } from '../target/targetOptions.ts';
import { type Target, withTarget } from '../target/withTarget.ts';

type Client = Target['client'];
type Operation = (client: Client, input: { mandateId: string; amount?: number }) => Promise<unknown>;

const ASKS_RAIL = { runningNode: 'Only a running node asks the rail.' };

export function paymentCommand(env: NodeJS.ProcessEnv): Command {
  const command = new Command('payment').description('See payments; capture, cancel and refund them.');
  targetOptions(command.command('list'), 'read')
    .description('List payments, newest first.')
    .addOption(new Option('--status <status>', 'only these').choices(PAYMENT_STATES))
    .option('--agent <did>', 'only of this agent')
    .option('--limit <count>', 'how many', DEFAULT_LIMIT)
    .action((options: TargetOptions & { status?: PaymentStatus; agent?: string; limit: string }) =>
      withTarget(env, options, async ({ client }) => {
        const { status, agent: agentDid } = options;
        const chosen = { ...(status && { status }), ...(agentDid && { agentDid }) };
        const payments = await newest(options.limit, (page) => client.listPayments({ ...page, ...chosen }));
        print(
          options,
          payments,
          columns(['PAYMENT', 'STATUS', 'WHEN', 'AMOUNT', 'MERCHANT'], (payments as Payment[]).map(row)),
        );
      }),
    );
  targetOptions(command.command('show <id>'), 'read')
    .description('Show one payment; with --json its signed mandate too.')
    .action((mandateId: string, options: TargetOptions) =>
      withTarget(env, options, async ({ client }) => {
        const found = await client.getPayment({ mandateId });
        print(options, found, describe(found as PaymentRecord));
      }),
    );

  const operation = (name: string, description: string, amount: string | undefined, act: Operation) => {
    const sub = targetOptions(command.command(`${name} <id>`), 'write').description(description);
    if (amount !== undefined) sub.option('--amount <amount>', amount);
    sub.action((mandateId: string, options: TargetOptions & { amount?: string }) => {
      const part = options.amount === undefined ? {} : { amount: amountOf(options.amount, '--amount') };
      const run = async ({ client }: Target) => {
        const changed = await act(client, { mandateId, ...part });
        print(options, changed, describe(changed as Payment));
      };
      return withTarget(env, options, run, ASKS_RAIL);
    });
  };
  operation('capture', 'Take the authorized amount, or part of it.', 'only so much', (client, input) =>
    client.capturePayment(input),
  );
  operation('cancel', 'Let go of an authorization.', undefined, (client, input) => client.cancelPayment(input));
  operation('refund', 'Give the captured amount back, or part of it.', 'only so much', (client, input) =>
    client.refundPayment(input),
  );
  return command;
}

function row(payment: Payment) {
  const { mandateId, status, createdAt, amount, currency, merchant } = payment;
  return [mandateId, statusCell(status), localTime(createdAt), money(amount, currency), merchant];
}

function describe(payment: Payment & Partial<PaymentRecord>): string {
  const { currency, captured, refunded, error } = payment;
  return facts({
    Payment: payment.mandateId,
    Status: statusCell(payment.status),
    Amount: money(payment.amount, currency),
    Captured: captured === 0 ? undefined : money(captured, currency),
    Refunded: refunded === 0 ? undefined : money(refunded, currency),
    Merchant: payment.merchant,
    Agent: payment.agentDid,
    When: localTime(payment.createdAt),
    Rail: [payment.rail, payment.railTransactionId].filter(Boolean).join(' '),
    Error: error === undefined ? undefined : `${error.code}: ${error.message}`,
    Transaction: payment.transactionId,
  });
}
