/** Stands in the place of `src/store/schema/readSchema.ts`: the schema of whichever version of the program acts. */
import type { SchemaFile } from '../../../src/store/schema/migrate.ts';
import { readSchema as readOwnSchema } from '../../../src/store/schema/readSchema.ts';

/** What a schema has beyond the program's own files, of which there are so many. */
type Beyond = (known: number) => readonly SchemaFile[];

let moreOf: () => Beyond = () => () => [];

/** @param given is asked as a node begins to read its schema */
export function readMore(given: () => Beyond): void {
  moreOf = given;
}

export async function readSchema(): Promise<SchemaFile[]> {
  const beyond = moreOf();
  const own = await readOwnSchema();
  return [...own, ...beyond(own.length)];
}
