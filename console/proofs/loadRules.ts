/** Loads what reads a policy, with the library of its schemas: not before a screen needs it. */
import { interpretSchemas } from './interpretSchemas.ts';

export type RulesCode = Awaited<ReturnType<typeof loadRules>>;

export async function loadRules() {
  await interpretSchemas();
  const { FIELDS, labelOf, readRules, isSameJson, warningsIn, runCases } = await import('./draftRules.ts');
  const { sentencesFor, changedSentences } = await import('./ruleSentences.ts');
  return { FIELDS, labelOf, readRules, isSameJson, warningsIn, runCases, sentencesFor, changedSentences };
}
