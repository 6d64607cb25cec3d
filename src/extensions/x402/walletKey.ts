/** The keys of wallets. They are opened where they sign, and the library for it is loaded then: most nodes have none. */
import { toHex } from '../../../protocol/credential/encodings.ts';
import { Fault } from '../../../protocol/wire/fault.ts';
import { readAddress } from '../../../protocol/x402/evmAddress.ts';

type Hex = `0x${string}`;

async function accountOf(privateKey: string) {
  const { privateKeyToAccount } = await import('viem/accounts');
  return privateKeyToAccount(privateKey as Hex);
}

/**
 * @param privateKey 32 bytes as `0x…`
 * @returns the address in lower case
 * @throws Fault BAD_REQUEST for a number that is no key of the curve
 */
export async function addressOfKey(privateKey: string): Promise<string> {
  try {
    return readAddress((await accountOf(privateKey)).address) as string;
  } catch {
    // The cause may name the key.
    throw new Fault('BAD_REQUEST', 'privateKey is no key of secp256k1.', [
      { path: 'privateKey', message: 'must be a number from 1 to below the order of secp256k1' },
    ]);
  }
}

/** @param bytes 32 unpredictable ones */
export function keyOfBytes(bytes: Uint8Array): string {
  return `0x${toHex(bytes)}`;
}

type SignTypedData = Awaited<ReturnType<typeof accountOf>>['signTypedData'];

/** @returns 65 bytes, `0x…`: of the same data always the same (RFC 6979) */
export async function signTypedData(privateKey: string, typedData: object): Promise<string> {
  const account = await accountOf(privateKey);
  return account.signTypedData(typedData as Parameters<SignTypedData>[0]);
}
