/** Whether a presence proof must name the cart that it is sent with. */
import type { CompiledPolicy } from '../../../protocol/policy/compile.ts';
import type { Deps } from '../../usecase/deps.ts';

/** In production a touch that names no cart would let an agent choose the cart afterwards, so the policy has to say so. */
export function mustNameCart(deps: Pick<Deps, 'settings'>, { rules }: CompiledPolicy): boolean {
  const byDefault = deps.settings.environment === 'production' ? 'cart' : 'any';
  return (rules.context?.presence_binding ?? byDefault) === 'cart';
}
