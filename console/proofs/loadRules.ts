/** Loads what reads a policy, with the library of its schemas: not before a screen needs it. */
import { interpretSchemas } from './interpretSchemas.ts';

export type RulesCode = Awaited<ReturnType<typeof loadRules>>;

export async function loadRules() {
  await interpretSchemas();
  const { FIELDS, isSameJson, labelOf, readRules, runCases, warningsIn } = await import('./draftRules.ts');
  const { changedSentences, sentencesFor } = await import('./ruleSentences.ts');
  return { FIELDS, isSameJson, labelOf, readRules, runCases, warningsIn, changedSentences, sentencesFor };
}
