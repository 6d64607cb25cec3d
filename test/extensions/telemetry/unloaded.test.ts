/** What is loaded of OpenTelemetry by a node without a collector: nothing. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

const FOLDER = join('src', 'extensions', 'telemetry');

/** The specifiers that a source loads with itself: neither types nor what it imports when it runs. */
function loadedWith(file: string): string[] {
  const text = readFileSync(file, 'utf8');
  const found = text.matchAll(/^(?:import|export) (?!type\b)(?:[^'";]*? from )?'([^']+)';$/gm);
  return [...found].map(([, specifier]) => specifier as string);
}

test('OpenTelemetry is loaded by one dynamic import alone', () => {
  const files = readdirSync('src', { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => join('src', name));
  const users = files.filter((file) => loadedWith(file).some((specifier) => specifier.startsWith('@opentelemetry/')));
  assert.deepEqual(
    users.sort(),
    ['metricsOf.ts', 'openTelemetry.ts', 'spans.ts'].map((name) => join(FOLDER, name)),
  );
  const names = users.map((file) => file.slice(FOLDER.length));
  const loading = files.filter((file) =>
    loadedWith(file).some((specifier) =>
      names.some((name) => specifier.endsWith(`telemetry${name}`) || specifier === `.${name}`),
    ),
  );
  assert.deepEqual(
    loading.filter((file) => !users.includes(file)),
    [],
  );
  assert.match(readFileSync(join(FOLDER, 'telemetry.ts'), 'utf8'), /await import\('\.\/openTelemetry\.ts'\)/);
});
