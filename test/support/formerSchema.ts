/** The schema as earlier versions of the program had it. */
import { readdirSync } from 'node:fs';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';

const SCHEMA = fileURLToPath(new URL('../../data/schema/', import.meta.url));

/** The newest schema that is not the present one. */
export const LATEST = readdirSync(SCHEMA).length - 1;

/** A folder with the first `version` files of the schema, which is gone after the test. */
export async function schemaOf(t: TestContext, version: number): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'countersign-schema-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const names = readdirSync(SCHEMA).sort().slice(0, version);
  for (const name of names) await cp(join(SCHEMA, name), join(folder, name));
  return folder;
}
