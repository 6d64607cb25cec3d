/**
 * What the length of a message costs before its sender is known. Its own proof can be checked only once it is parsed and
 * written in canonical form, which takes the gate up to 2 ms for each 8 KiB.
 */
import { Fault } from '../../../protocol/wire/fault.ts';
import type { RequestMeter } from './requestMeter.ts';

const BYTES_A_CALL = 8192;

/** Who vouches for a message before it is read, and who pays where nothing does. */
interface Payer {
  /** Whether a credential of the request, which is not in its body, is one of a caller that is known and has calls left. */
  isVouched(): Promise<boolean>;
  readonly meter: Pick<RequestMeter, 'chargeAddress'>;
}

/**
 * Charges the address of a long message for its length, unless a credential beside it vouches for it. What one call pays for
 * is read in any case: a message that is signed by a known agent is never refused because of its address.
 * @param bytes of the message @throws Fault RATE_LIMITED that says how to send it all the same
 */
export async function payForLength(payer: Payer, bytes: number): Promise<void> {
  const calls = Math.ceil(bytes / BYTES_A_CALL) - 1;
  if (calls <= 0 || (await payer.isVouched())) return;
  try {
    await payer.meter.chargeAddress(calls);
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    throw new Fault(
      error.code,
      `${error.message} A message of ${bytes} bytes counts as ${calls + 1} calls of its address; send it with X-DID-Proof, ` +
        'and it counts as one of its agent alone.',
    );
  }
}
