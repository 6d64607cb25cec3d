/** Writes data/baseline/sqlite-NNN.sql anew, from all schema files. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readSchema } from '../src/store/schema/readSchema.ts';
import { baselineText } from './baselineText.ts';

const folder = join(dirname(dirname(fileURLToPath(import.meta.url))), 'data', 'baseline');
const files = await readSchema();
const text = await baselineText(files);
rmSync(folder, { recursive: true, force: true });
mkdirSync(folder);
writeFileSync(join(folder, `sqlite-${String(files.length).padStart(3, '0')}.sql`), text);
