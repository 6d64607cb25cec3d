/** Loads what reads a policy, with the library of its schemas: not before a screen needs it. */
import { interpretSchemas } from './interpretSchemas.ts';

export type RulesCode = Awaited<ReturnType<typeof loadRules>>;

export async function loadRules() {
  await interpretSchemas();
  return (await import('./rulesCode.ts')).RULES_CODE;
}
