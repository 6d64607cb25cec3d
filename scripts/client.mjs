// Writes what is made of the sources: client/operations.ts, the same for Python, the sections of docs/ on rules, reason codes and
// webhook events, the schemas of the approval extension, and options of the command line.
// With `--check` it writes nothing, and fails where a file says something else. With `--build [folder]` it builds the package
// countersign-client into packages/client/dist.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildClient } from './client/buildClient.mjs';
import { loadGenerators } from './client/loadGenerators.mjs';

const PYTHON = 'packages/python/src/countersign_client';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
process.chdir(root);

const [task, folder] = process.argv.slice(2);
if (task === undefined) for (const [file, text] of await stale()) writeFileSync(file, text);
else if (task === '--check') check(await stale());
else if (task === '--build') await buildClient(root, folder ?? join('packages', 'client', 'dist'));
else end(`"${task}" is not known. It is --check, --build [folder], or nothing.`);

/** The files that say something else than the sources, each with what it has to say. */
async function stale() {
  const {
    operationsText,
    faultsText,
    currenciesText,
    pythonTexts,
    approvalSchemasText,
    commandOptionsText,
    withSections,
    api,
  } = await loadGenerators(root);
  const pages = readdirSync('docs', { recursive: true }).filter((name) => name.endsWith('.md'));
  const written = new Map(pages.map(pageOf(withSections)));
  written.set('client/operations.ts', operationsText(api));
  written.set(`${PYTHON}/_faults.py`, faultsText(written.get('docs/reference/errors.md')));
  written.set(`${PYTHON}/_currencies.py`, currenciesText());
  written.set('docs/reference/extensions/approval-schema.json', approvalSchemasText());
  written.set('src/cli/generated/commandOptions.ts', commandOptionsText(api));
  for (const [name, text] of Object.entries(pythonTexts(api))) written.set(`${PYTHON}/${name}`, text);
  return [...written].filter(([file, text]) => (existsSync(file) ? readFileSync(file, 'utf8') : undefined) !== text);
}

function pageOf(withSections) {
  return (name) => {
    const file = `docs/${name}`;
    return [file, withSections(file, readFileSync(file, 'utf8'))];
  };
}

function check(files) {
  if (files.length === 0) return;
  const names = files.map(([file]) => file).join(', ');
  end(
    `${names}: not what routes, schemas, rules and events say. Run "node scripts/client.mjs", and commit with your change.`,
  );
}

function end(sentence) {
  console.error(sentence);
  process.exit(1);
}
