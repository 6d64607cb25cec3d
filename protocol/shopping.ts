/** What an agent says of its purchase besides the money: at whose shop, what for, and whether a person confirms the cart. */
import { z } from 'zod';
import { normalizeDomain } from './policy/values/domain.ts';
import { Fault } from './wire/fault.ts';
import { visibleName } from './wire/plainText.ts';

/** The only merchants that a cart may come from: domains, or names as merchants write them into what they sign. */
export const MerchantChoice = z.array(visibleName(253)).min(1).max(50);

/** Kept with the intent and shown to the person who approves. Nothing but `confirmCart` decides. */
export const Shopping = z.object({
  description: visibleName(2000).optional().describe('What is to be bought, in words.'),
  skus: z.array(visibleName(200)).min(1).max(100).optional().describe('The articles that are meant.'),
  refundable: z.boolean().optional().describe('Whether it must be possible to give it back.'),
  confirmCart: z.boolean().optional().describe('Whether a person confirms the cart, regardless of the policy.'),
});
export type Shopping = z.infer<typeof Shopping>;

/** As it is stored with an intent. */
export interface StoredShopping {
  readonly merchants?: z.infer<typeof MerchantChoice>;
  readonly shopping?: Shopping;
}

/**
 * A domain is chosen by the domain alone: a merchant that calls itself by another's domain is not meant.
 * @param name as the merchant signed it; undefined where its cart has none
 */
export function isChosen(choice: readonly string[], merchant: string, name: string | undefined): boolean {
  const spelled = name === undefined ? undefined : spell(name);
  return choice.some((each) => {
    const domain = domainIn(each);
    return domain === undefined ? spell(each) === spelled : domain === merchant;
  });
}

function spell(name: string): string {
  return name.normalize('NFKC').trim().toLowerCase();
}

/** The domain that a text is, in its normal form; undefined for any other text. */
export function domainIn(text: string): string | undefined {
  try {
    return normalizeDomain(text);
  } catch (error) {
    if (error instanceof Fault) return undefined;
    throw error;
  }
}
