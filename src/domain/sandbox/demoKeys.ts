/** The keys that only the sandbox has, and how long what they sign holds. */
import { Fault } from '../../../protocol/wire/fault.ts';
import type { DemoKeys, Deps } from '../../usecase/deps.ts';

/** @throws Fault NOT_FOUND outside the sandbox */
export function demoKeys(deps: Pick<Deps, 'keys'>): DemoKeys {
  if (deps.keys.demo === undefined) throw new Fault('NOT_FOUND', 'This exists in the sandbox only.');
  return deps.keys.demo;
}

export const CART_TTL_SECONDS = 15 * 60;
