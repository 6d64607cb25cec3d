/** What a judgement comes out as, under the name that lists of decisions have for it. */

/** @returns a state that Status shows */
export function outcomeOf({ allowed, hpRequired }: { readonly allowed: boolean; readonly hpRequired: boolean }) {
  if (!allowed) return 'refused';
  return hpRequired ? 'approval' : 'allowed';
}
