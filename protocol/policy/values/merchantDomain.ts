/** A merchant's domain as input has it, parsed to its normal form. */
import { z } from 'zod';
import { Fault } from '../../wire/fault.ts';
import { normalizeDomain } from './domain.ts';

export const MerchantDomain = z.string().transform((text, context) => {
  try {
    return normalizeDomain(text);
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    context.addIssue({ code: 'custom', message: error.message });
    return z.NEVER;
  }
});
export type MerchantDomain = z.infer<typeof MerchantDomain>;
