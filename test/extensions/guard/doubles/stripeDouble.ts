/** Stripe's MCP server as it answers by its toolkit 0.9: no annotations, one text, amounts in Stripe's smallest unit. */
import { type Input, textResult, type Vendor } from './vendor.ts';

const text = { type: 'string' };

export class StripeDouble implements Vendor {
  readonly tools = [
    {
      name: 'create_refund',
      description: 'This tool will refund a payment intent in Stripe.',
      inputSchema: {
        type: 'object' as const,
        properties: { payment_intent: text, amount: { type: 'number' }, reason: text, customer: text },
        required: ['payment_intent'],
      },
    },
    {
      name: 'create_payment_intent',
      description: 'Charges a customer.',
      inputSchema: {
        type: 'object' as const,
        properties: { amount: { type: 'number' }, currency: text, customer: text, idempotency_key: text },
        required: ['amount', 'currency'],
      },
    },
    {
      name: 'list_payment_intents',
      description: 'Lists.',
      inputSchema: { type: 'object' as const, properties: { limit: { type: 'number' } } },
    },
    {
      name: 'cancel_subscription',
      description: 'Cancels.',
      inputSchema: { type: 'object' as const, properties: { subscription: text } },
    },
  ];
  readonly charged: Input[] = [];

  call(name: string, input: Input): object {
    if (name === 'list_payment_intents') return textResult([]);
    if (input['customer'] === 'cus_declined') {
      return textResult({ error: { type: 'card_error', code: 'card_declined' } }, { isError: true });
    }
    this.charged.push(input);
    const made = `${name === 'create_refund' ? 're' : 'pi'}_${this.charged.length}`;
    return textResult({ id: made, status: 'succeeded', amount: input['amount'], currency: input['currency'] ?? 'usd' });
  }
}
