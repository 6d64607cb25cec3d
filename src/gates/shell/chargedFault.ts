/** What fails before the core has charged its caller is charged to the address that it came from. */
import { Fault } from '../../../protocol/wire/fault.ts';

/** @param chargeAddress throws where the address has no calls left @returns what the caller is told */
export async function chargedFault(chargeAddress: () => Promise<void>, error: unknown): Promise<unknown> {
  try {
    await chargeAddress();
    return error;
  } catch (tooMany) {
    // One that was refused for its length says more.
    return error instanceof Fault && error.code === 'RATE_LIMITED' ? error : tooMany;
  }
}
