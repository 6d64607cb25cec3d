/** Whom a limit of a draft stops as soon as it is in force, in a sentence. */
import { amountText } from '../../../parts/values/amount.ts';
import type { LimitCount } from '../policies.ts';

/** Such as "Stops 2 agents at once: Travel desk 2,237.00 of 400.00 USD, Grocery agent 401.00 of 400.00 USD." */
export function stopText({ scope, usedUp, action, limit, currency, measure, most, name }: LimitCount): string {
  const whom = {
    agent: usedUp === 1 ? '1 agent' : `${usedUp} agents`,
    principal: `the agents of ${usedUp === 1 ? '1 person or company' : `${usedUp} people or companies`}`,
    policy: 'all agents',
  }[scope];
  const numberOf = (number: number) => (currency === undefined ? `${number}` : amountText(number, currency));
  const unit = measure === 'purchases' ? ' purchases' : '';
  const named = most
    .slice(0, usedUp)
    .map(
      (each) => `${each.name ?? 'together'} ${numberOf(each.used).replace(/ \w+$/, '')} of ${numberOf(limit)}${unit}`,
    );
  const more = usedUp - named.length;
  const act = action === 'presence' ? 'Asks a person at once about each purchase of' : 'Stops';
  const at = action === 'presence' ? '' : ' at once';
  return `${act} ${whom}${at}: ${named.join(', ')}${more > 0 ? ` and ${more} more` : ''} (“${name}”).`;
}
