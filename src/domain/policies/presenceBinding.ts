/** What a policy asks for by default depends on the environment: that a presence proof names its cart, and a mandate's nonce is the node's. */
import type { CompiledPolicy } from '../../../protocol/policy/compile.ts';
import type { Deps } from '../../usecase/deps.ts';

/** In production a touch that names no cart would let an agent choose the cart afterwards, so the policy has to say so. */
export function mustNameCart(deps: Pick<Deps, 'settings'>, { rules }: CompiledPolicy): boolean {
  const byDefault = deps.settings.environment === 'production' ? 'cart' : 'any';
  return (rules.context?.presence_binding ?? byDefault) === 'cart';
}

/** In production a chain that others have seen could otherwise be brought before its agent brings it. */
export function mustHaveNonce(deps: Pick<Deps, 'settings'>, { rules }: CompiledPolicy): boolean {
  return rules.mandates?.require_nonce ?? deps.settings.environment === 'production';
}
