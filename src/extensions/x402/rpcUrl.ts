/** Addresses where chains are asked: https, and in the sandbox a chain on this machine. */
import { Fault } from '../../../protocol/wire/fault.ts';
import { faultOfTarget } from '../../fetch/target.ts';
import type { Kernel } from '../../usecase/deps.ts';

const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]']);

/** Whether an address is a chain of a developer on this machine, which only the sandbox asks. */
export function isLocalRpc({ settings }: Pick<Kernel, 'settings'>, url: string): boolean {
  return settings.environment === 'sandbox' && URL.canParse(url) && LOOPBACK.has(new URL(url).hostname);
}

/** @throws Fault BAD_REQUEST for an address that the node does not ask */
export function requireRpcUrl(deps: Pick<Kernel, 'settings'>, url: string): void {
  const message = faultOfTarget(url, { allowPrivate: isLocalRpc(deps, url) });
  if (message !== undefined) throw new Fault('BAD_REQUEST', `rpcUrl ${message}.`, [{ path: 'rpcUrl', message }]);
}
