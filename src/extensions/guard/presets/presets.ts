/** The rules for servers of three vendors, by the names that a file gives them in `preset`. */
import { z } from 'zod';
import { type PRESETS, ToolRule } from '../rules/guardConfig.ts';
import { paypal } from './paypal.ts';
import { square } from './square.ts';
import { stripe } from './stripe.ts';

const Rules = z.array(ToolRule);

export const presets: Record<(typeof PRESETS)[number], readonly ToolRule[]> = {
  stripe: Rules.parse(stripe),
  paypal: Rules.parse(paypal),
  square: Rules.parse(square),
};
