/** Issues shared payment tokens (SPT): the right of one merchant to be paid once, up to an amount. */
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

/** Every failure is a Fault: UNAVAILABLE when the rail cannot issue tokens now, CONFLICT when it refuses this one. */
export interface TokenIssuer {
  /** @returns the rail's own id of the token */
  issue(order: TokenOrder): Promise<string>;
  /** Afterwards the token cannot be used. */
  revoke(railTokenId: string): Promise<void>;
}
