/** Whether a credential beside a message vouches for it before it is read. */
import { Fault } from '../../../protocol/wire/fault.ts';
import type { Credential } from '../../core/callerOf.ts';
import type { Gate } from './gate.ts';

/**
 * @param address as the rate limiter names it, which is charged for a credential that does not hold
 * @param read gives the credential, or undefined where there is none; it may throw a Fault for one that cannot hold
 * @returns true for one of a caller that the core knows and that has calls left
 */
export async function isVouchedFor(gate: Gate, address: string, read: () => Credential | undefined): Promise<boolean> {
  const credential = readOr(read);
  if (credential === undefined) return false;
  const ask = () => gate.core.call('takeCaller', address, credential);
  return (await gate.known.refusalOf(credential, ask)) === undefined;
}

/** What is wrong with a credential is told where the message goes by it. */
function readOr(read: () => Credential | undefined): Credential | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof Fault) return undefined;
    throw error;
  }
}
