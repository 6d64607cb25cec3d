/** Members of an input that were given: one that is optional has to be left out, and must not be undefined. */
export function given<Members extends object>(
  members: Members,
): { [Name in keyof Members]?: Exclude<Members[Name], undefined> } {
  const entries = Object.entries(members).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as { [Name in keyof Members]?: Exclude<Members[Name], undefined> };
}
