/** The rules for servers of three vendors, by the names that a file gives them in `preset`. */
import { type PRESETS, ToolRule } from '../rules/guardConfig.ts';
import { paypalRules } from './paypalRules.ts';
import { squareRules } from './squareRules.ts';
import { stripeRules } from './stripeRules.ts';

export const presets: Record<(typeof PRESETS)[number], readonly ToolRule[]> = {
  stripe: stripeRules.map((rule) => ToolRule.parse(rule)),
  paypal: paypalRules.map((rule) => ToolRule.parse(rule)),
  square: squareRules.map((rule) => ToolRule.parse(rule)),
};
