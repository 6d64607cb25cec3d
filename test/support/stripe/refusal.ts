/** An error as Stripe words it. */
export interface ErrorFacts {
  readonly type: 'card_error' | 'invalid_request_error' | 'idempotency_error' | 'api_error' | 'rate_limit_error';
  readonly code?: string;
  readonly decline_code?: string;
  readonly message: string;
  readonly payment_intent?: object;
}

export class Refusal extends Error {
  readonly status: number;
  readonly facts: ErrorFacts;
  constructor(status: number, facts: ErrorFacts) {
    super(facts.message);
    this.status = status;
    this.facts = facts;
  }
}

export function invalid(code: string, message: string, intent?: object): Refusal {
  const payment = intent === undefined ? {} : { payment_intent: intent };
  return new Refusal(400, { type: 'invalid_request_error', code, message, ...payment });
}
