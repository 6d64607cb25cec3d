/** The cases that a policy is tested with, as their file has them (docs/reference/policies.md). */
import type { Operations } from '../../../../../client/operations.ts';
import { amountText } from '../../../../parts/values/amount.ts';

type TrialRequest = Operations['simulateDraft']['input']['request'];
type Simulation = Operations['simulateDraft']['output'];

/** @returns the file with one case more; what is in it and is no list stays as it is */
export function withCase(
  text: string,
  request: TrialRequest,
  { allowed, reasonCodes, hpRequired }: Simulation,
): string {
  const { amount, currency, merchantDomain } = request;
  const where = merchantDomain === undefined ? '' : ` at ${merchantDomain}`;
  const expect = allowed ? { allowed, hpRequired } : { allowed, reasonCodes };
  const more = { name: `${amountText(amount, currency)}${where}`, request, expect };
  const before = listIn(text);
  return before === undefined ? text : JSON.stringify([...before, more], null, 2);
}

function listIn(text: string): readonly unknown[] | undefined {
  if (text.trim() === '') return [];
  try {
    const json: unknown = JSON.parse(text);
    return Array.isArray(json) ? json : undefined;
  } catch {
    return undefined;
  }
}
