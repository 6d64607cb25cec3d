/** Whom a request is charged to: its address until the core knows its caller, and then that caller. */
import type { IncomingMessage } from 'node:http';
import { addressSubject } from '../../access/clientAddress.ts';
import { rateHeaders, type Verdict } from '../../access/rateLimit.ts';
import { answerOf, type Taken, type Text } from '../../core/taken.ts';
import type { Gate } from './gate.ts';

export interface RequestMeter {
  /** Where the request came from, as the rate limiter names it. */
  readonly address: string;
  /** What the core last made of the request; undefined before. */
  readonly taken: Taken | undefined;
  /** The bucket that was charged, or looked at, last; undefined before the first. */
  readonly verdict: Verdict | undefined;
  /** Notes what the core made of the request. @returns the core's answer @throws what the core threw */
  settle(taken: Taken): Text | undefined;
  /**
   * Charges the address, where the caller is not known.
   * @param calls how many it counts as, 1 when not given
   * @throws Fault RATE_LIMITED when it has not so many calls left
   */
  chargeAddress(calls?: number): Promise<void>;
  /** Notes where the subject of the request stands, where the core says nothing else of it. */
  note(verdict: Verdict): void;
  /** The headers that say what is left in the bucket; none before there is one. */
  headers(): Record<string, string>;
}

export function requestMeter(gate: Pick<Gate, 'core' | 'settings'>, request: IncomingMessage): RequestMeter {
  const address = addressSubject(request, gate.settings.trustedProxies);
  let taken: Taken | undefined;
  let verdict: Verdict | undefined;
  return {
    address,
    get taken() {
      return taken;
    },
    get verdict() {
      return verdict;
    },
    settle(given) {
      taken = given;
      verdict = given.verdict;
      return answerOf(given);
    },
    async chargeAddress(calls) {
      const charged = await gate.core.call('chargeAddress', address, calls);
      verdict = charged.verdict;
      answerOf(charged);
    },
    note(given) {
      verdict = given;
    },
    headers: () => (verdict === undefined ? {} : rateHeaders(verdict)),
  };
}
