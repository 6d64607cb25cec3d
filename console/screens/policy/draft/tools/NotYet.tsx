/** Why nothing can be done with a draft for now. */
import type { Rules } from '../../../../../protocol/policy/rules.ts';

export function NotYet({ rules }: { readonly rules: Rules | undefined }) {
  return rules === undefined ? <p class="quiet not-yet">First correct what is wrong with the draft.</p> : null;
}
