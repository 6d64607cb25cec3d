/** What reads, judges and words a policy, loaded together: one file packs better than several. See loadRules.ts. */
import { FIELDS, isSameJson, labelOf, readRules, runCases, warningsIn } from './draftRules.ts';
import { changedSentences, sentencesFor } from './ruleSentences.ts';

export const RULES_CODE = {
  FIELDS,
  labelOf,
  readRules,
  isSameJson,
  warningsIn,
  runCases,
  sentencesFor,
  changedSentences,
};
