/** What keeps the library of schemas within the page's policy. */

/** Before any schema is made: it would be compiled by `new Function`, which the policy refuses. */
export async function interpretSchemas(): Promise<void> {
  const { interpretOnly } = await import('./schemaLibrary.ts');
  interpretOnly();
}
