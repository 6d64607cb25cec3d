// Writes into the pages of docs/ the sections that are made of the code.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadGenerator } from './writeOperations.mjs';

/** @param root of the package */
export async function writeSections(root) {
  const { withSections } = await loadGenerator(root, 'pageSections');
  for (const path of readdirSync(join(root, 'docs'), { recursive: true }).filter((name) => name.endsWith('.md'))) {
    const file = join(root, 'docs', path);
    const page = readFileSync(file, 'utf8');
    const next = withSections(`docs/${path}`, page);
    if (next !== page) writeFileSync(file, next);
  }
}
