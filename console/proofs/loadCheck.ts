/** Loads what checks evidence, with the library of its schemas: more code than all of a first screen. */
import type { Checked } from './checkBundle.ts';
import { interpretSchemas } from './interpretSchemas.ts';

/** @param issuerDid whose signature it must carry */
export async function checkEvidence(text: string, issuerDid: string): Promise<Checked> {
  await interpretSchemas();
  const { checkBundle } = await import('./checkBundle.ts');
  return checkBundle(text, issuerDid);
}
