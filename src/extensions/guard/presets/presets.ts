/** The rules for servers of three vendors, by the names that a file gives them in `preset`. */
import { z } from 'zod';
import { type PRESETS, ToolRule } from '../rules/guardConfig.ts';
import { paypalRules } from './paypalRules.ts';
import { squareRules } from './squareRules.ts';
import { stripeRules } from './stripeRules.ts';

const Rules = z.array(ToolRule);

export const presets: Record<(typeof PRESETS)[number], readonly ToolRule[]> = {
  stripe: Rules.parse(stripeRules),
  paypal: Rules.parse(paypalRules),
  square: Rules.parse(squareRules),
};
