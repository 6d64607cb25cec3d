/**
 * Every rule, one file of rules/ each. Their order is part of the contract: reasons are reported in it, the members of a group
 * stand in it in schemas and in the form, and causes to ask for a person follow it, the one about every purchase last.
 */
import { allowList } from './rules/allowList.ts';
import { amountCap } from './rules/amountCap.ts';
import { anomaly } from './rules/anomaly.ts';
import { approvalSteps } from './rules/approvalSteps.ts';
import { approvalTime } from './rules/approvalTime.ts';
import { currency } from './rules/currency.ts';
import { denyByLink } from './rules/denyByLink.ts';
import { denyList } from './rules/denyList.ts';
import { duplicate } from './rules/duplicate.ts';
import { geography } from './rules/geography.ts';
import { limits } from './rules/limits.ts';
import { mandateNonce } from './rules/mandateNonce.ts';
import { merchantCategory } from './rules/merchantCategory.ts';
import { newMerchant } from './rules/newMerchant.ts';
import { paidElsewhere } from './rules/paidElsewhere.ts';
import { presenceMode } from './rules/presenceMode.ts';
import { presenceThreshold } from './rules/presenceThreshold.ts';
import { proofBinding } from './rules/proofBinding.ts';
import { rails } from './rules/rails.ts';
import { timeWindows } from './rules/timeWindows.ts';
import { unboundPayees } from './rules/unboundPayees.ts';
import { velocity } from './rules/velocity.ts';

export const RULES = [
  amountCap,
  currency,
  allowList,
  denyList,
  merchantCategory,
  unboundPayees,
  presenceMode,
  presenceThreshold,
  newMerchant,
  approvalSteps,
  approvalTime,
  proofBinding,
  denyByLink,
  velocity,
  limits,
  timeWindows,
  geography,
  anomaly,
  duplicate,
  rails,
  paidElsewhere,
  mandateNonce,
] as const;
