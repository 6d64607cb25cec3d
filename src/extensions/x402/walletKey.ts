/** The keys of wallets, and what is signed with them. This file loads the library for it, and is loaded itself where a key is used. */
import { privateKeyToAccount } from 'viem/accounts';
import { Fault } from '../../../protocol/wire/fault.ts';
import { readAddress } from '../../../protocol/x402/evmAddress.ts';

type Account = ReturnType<typeof privateKeyToAccount>;

function accountOf(privateKey: string): Account {
  return privateKeyToAccount(privateKey as `0x${string}`);
}

/**
 * @param privateKey 32 bytes as `0x…`
 * @returns the address in lower case
 * @throws Fault BAD_REQUEST for a number that is no key of the curve
 */
export function addressOfKey(privateKey: string): string {
  try {
    return readAddress(accountOf(privateKey).address) as string;
  } catch {
    // The cause may name the key.
    const message = 'must be a number from 1 to below the order of secp256k1';
    throw new Fault('BAD_REQUEST', `privateKey ${message}.`, [{ path: 'privateKey', message }]);
  }
}

/** @returns 65 bytes, `0x…`: of the same data always the same (RFC 6979) */
export function signTypedData(privateKey: string, typedData: object): Promise<string> {
  return accountOf(privateKey).signTypedData(typedData as Parameters<Account['signTypedData']>[0]);
}
