/** Challenges of MPP as a server writes them. */
import { toBase64url } from '../../protocol/credential/encodings.ts';

interface Asked {
  readonly id: string;
  readonly amount?: string;
  readonly currency?: string;
  readonly networkId?: string;
  readonly expires?: string;
  readonly realm?: string;
  readonly externalId?: string;
}

/** @returns a value of WWW-Authenticate that asks for 5.00 USD unless it is told otherwise */
export function mppChallenge(asked: Asked): string {
  const { id, amount = '500', currency = 'usd', networkId = 'profile_reports', realm = 'reports.example' } = asked;
  const { expires = '2099-01-01T00:00:00Z', externalId } = asked;
  const request = { amount, currency, externalId, methodDetails: { networkId, paymentMethodTypes: ['card'] } };
  const text = toBase64url(new TextEncoder().encode(JSON.stringify(request)));
  return `Payment id="${id}", realm="${realm}", method="stripe", intent="charge", request="${text}", expires="${expires}"`;
}
