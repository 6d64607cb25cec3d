/** Square's server as square-mcp-server 0.1.2 answers: one tool for all services, in two spellings, errors as JSON in an isError text. */
import { type Input, textResult, type Vendor } from './vendor.ts';

const names = { service: { type: 'string' }, method: { type: 'string' } };

interface Money {
  readonly amount: number;
  readonly currency: string;
}

interface PaymentRequest {
  readonly idempotency_key: string;
  readonly amount_money: Money;
  readonly tip_money?: Money;
}

export class SquareDouble implements Vendor {
  readonly tools = [
    {
      name: 'make_api_request',
      description: 'Unified tool for all Square API operations. Be sure to get types before calling.',
      inputSchema: {
        type: 'object' as const,
        properties: { ...names, request: { type: 'object', additionalProperties: true } },
        required: ['service', 'method'],
      },
    },
    {
      name: 'get_type_info',
      description: 'Get type information for a Square API method.',
      inputSchema: { type: 'object' as const, properties: names, required: ['service', 'method'] },
    },
    {
      name: 'get_service_info',
      description: 'Get information about a Square API service.',
      inputSchema: { type: 'object' as const, properties: { service: names.service }, required: ['service'] },
    },
  ];
  /** By their keys, of which Square makes one payment each. */
  readonly payments = new Map<
    string,
    { readonly id: string; readonly amount_money: Money; readonly tip_money?: Money }
  >();
  readonly reached: string[] = [];
  next: 'paid' | 'declined' | 'error' = 'paid';

  call(name: string, input: Input): object {
    if (name !== 'make_api_request') return textResult({ list: { description: 'Lists.' } });
    const given = String(input['service']);
    const service = given.charAt(0).toUpperCase() + given.slice(1);
    this.reached.push(`${service}.${input['method']}`);
    if (service !== 'Payments' || input['method'] !== 'create') return textResult({ objects: [] });
    if (this.next === 'declined') {
      return failure(
        '{"errors":[{"category":"PAYMENT_METHOD_ERROR","code":"CARD_DECLINED","detail":"Card declined."}]}',
      );
    }
    if (this.next === 'error') return failure('{"errors":[{"category":"API_ERROR","code":"INTERNAL_SERVER_ERROR"}]}');
    const { idempotency_key: key, amount_money, tip_money } = input['request'] as PaymentRequest;
    const tip = tip_money === undefined ? {} : { tip_money };
    const payment = this.payments.get(key) ?? { id: `pay_${this.payments.size + 1}`, amount_money, ...tip };
    this.payments.set(key, payment);
    return textResult(JSON.stringify({ payment: { ...payment, status: 'COMPLETED' } }));
  }
}

function failure(error: string): object {
  return textResult(JSON.stringify({ error, details: 'at make_api_request' }, undefined, 2), { isError: true });
}
