/** Who makes shared payment tokens: a rail that hands out a right to pay one merchant once, up to an amount. */
interface TokenOrder {
  /** Our id of the token, also the idempotency key. */
  readonly id: string;
  readonly amountMinor: number;
  readonly currency: string;
  /** Milliseconds since the epoch. */
  readonly expiresAt: number;
  readonly merchantDomain: string;
  /** The merchant as the rail's network knows it. */
  readonly merchantProfile: string | undefined;
  readonly instrument: string | undefined;
}

/** Every failure is a Fault: UNAVAILABLE where the rail cannot (now), CONFLICT where this token cannot be had. */
export interface TokenIssuer {
  /** @returns the rail's own id of the token */
  issue(order: TokenOrder): Promise<string>;
  /** After this the token buys nothing. */
  revoke(railTokenId: string): Promise<void>;
}
