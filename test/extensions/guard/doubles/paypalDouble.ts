/** PayPal's server as @paypal/agent-toolkit 1.8.0 answers: no annotations, no isError, and errors as plain text. Written from its published schemas. */
import { type Input, SILENT, textResult, type Vendor } from './vendor.ts';

const id = {
  type: 'object',
  properties: { id: { type: 'string', pattern: '^[A-Z0-9]{17,32}$' } },
  required: ['id'],
} as const;

interface Item {
  readonly name: string;
  readonly quantity?: number;
  readonly itemCost: number;
  readonly taxPercent?: number;
  readonly itemTotal: number;
}

export class PaypalDouble implements Vendor {
  readonly tools = [
    {
      name: 'create_order',
      description: 'Create an order in PayPal.',
      inputSchema: {
        type: 'object' as const,
        properties: {
          currencyCode: { type: 'string', enum: ['USD'] },
          items: {
            type: 'array',
            maxItems: 50,
            items: {
              type: 'object',
              properties: {
                name: { type: 'string' },
                quantity: { type: 'number', default: 1 },
                itemCost: { type: 'number' },
                taxPercent: { type: 'number', default: 0 },
                itemTotal: { type: 'number' },
              },
              required: ['name', 'itemCost', 'itemTotal'],
            },
          },
          discount: { type: 'number', default: 0 },
          shippingCost: { type: 'number', default: 0 },
        },
        required: ['currencyCode', 'items'],
      },
    },
    { name: 'get_order', description: 'Get the details of an order.', inputSchema: id },
    { name: 'pay_order', description: 'Process payment for an authorized order.', inputSchema: id },
    {
      name: 'create_refund',
      description: 'Refund a capture.',
      inputSchema: {
        type: 'object' as const,
        properties: {
          capture_id: { type: 'string' },
          amount: { type: 'object', properties: { currency_code: { type: 'string' }, value: { type: 'string' } } },
        },
        required: ['capture_id'],
      },
    },
    { name: 'create_subscription', description: 'Subscribe.', inputSchema: { type: 'object' as const } },
  ];
  readonly orders = new Map<string, string>();
  readonly captured: string[] = [];
  /** What the next payment of an order comes to. */
  next: 'paid' | 'declined' | 'broken' | 'silent' = 'paid';
  /** Added to what an order costs, as fees that its arguments do not name. */
  surcharge = 0;

  call(name: string, input: Input): object | typeof SILENT {
    if (name === 'create_order') return this.#create(input);
    if (name === 'pay_order') return this.#pay(String(input['id']));
    if (name === 'get_order') return textResult({ id: input['id'], status: 'APPROVED' });
    if (name === 'create_refund') {
      const amount = input['amount'] ?? { currency_code: 'USD', value: '500.00' };
      return textResult({ id: 'REFUND00000000001', status: 'COMPLETED', amount });
    }
    return textResult({ id: 'I-SUBSCRIPTION' });
  }

  #create({ items, discount = 0, shippingCost = 0 }: Input): object {
    const sum = (items as readonly Item[]).reduce(
      (all, { itemCost, quantity = 1, taxPercent = 0 }) => all + itemCost * quantity * (1 + taxPercent / 100),
      0,
    );
    const value = (sum + Number(shippingCost) - Number(discount) + this.surcharge).toFixed(2);
    const order = `ORDER${String(this.orders.size + 1).padStart(12, '0')}`;
    this.orders.set(order, value);
    return textResult({
      id: order,
      status: 'PAYER_ACTION_REQUIRED',
      purchase_units: [{ amount: { currency_code: 'USD', value } }],
    });
  }

  #pay(order: string): object | typeof SILENT {
    const refused = (message: string) => textResult({ ok: false, status: 422, code: 'PAYPAL_API_HTTP_ERROR', message });
    if (this.next === 'silent') return SILENT;
    if (this.next === 'declined') return refused('The requested action could not be performed: INSTRUMENT_DECLINED');
    if (this.captured.includes(order)) return refused('Order already captured. Only one capture per order is allowed.');
    this.captured.push(order);
    if (this.next === 'broken')
      return textResult({ ok: false, code: 'PAYPAL_API_NO_RESPONSE', message: 'socket hang up' });
    const amount = { currency_code: 'USD', value: this.orders.get(order) };
    const capture = { id: `CAPTURE-${order}`, status: 'COMPLETED', amount };
    return textResult({
      status: 'success',
      response: { id: order, status: 'COMPLETED', purchase_units: [{ payments: { captures: [capture] } }] },
    });
  }
}
