/** The house in order: imports run one way, and protocol/ stays pure. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { test } from 'node:test';

/** Each room and the rooms it may import besides itself. */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  protocol: [],
  client: ['protocol'],
  assets: [],
  store: ['protocol', 'assets'],
  rails: ['protocol'],
  crypto: ['protocol'],
  presence: ['protocol'],
  access: ['protocol'],
  fetch: ['protocol'],
  handlers: ['protocol', 'store', 'rails', 'crypto', 'presence', 'access', 'fetch'],
  gateway: ['protocol', 'store', 'rails', 'crypto', 'presence', 'access', 'handlers'],
  rest: ['protocol', 'assets', 'store', 'rails', 'crypto', 'presence', 'access', 'handlers'],
  webhooks: ['protocol', 'store', 'rails', 'crypto', 'presence', 'access', 'fetch', 'handlers'],
  upkeep: ['protocol', 'assets', 'store', 'crypto', 'handlers'],
  workers: ['protocol', 'store', 'rails', 'crypto', 'presence', 'access', 'handlers'],
};

/** The libraries protocol/ may use; everything else would tie it to one place it runs in. */
const PROTOCOL_PACKAGES = /^(zod|@noble\/|bs58$|canonicalize$)/;
const IMPURE = /\bawait\b|\bDate\.now\b|\bnew Date\(\)|\bMath\.random\b|\bprocess\b|\bBuffer\b|['"]node:/;

function sources(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
    .map((entry) => join(entry.parentPath, entry.name));
}

/** The room a file is in; undefined for the roots of src/, which may import anything. */
function roomOf(file: string): string | undefined {
  const [top, room, ...rest] = file.split('/');
  if (top === 'protocol' || top === 'client') return top;
  return top === 'src' && rest.length > 0 ? room : undefined;
}

function importsOf(text: string): string[] {
  return [...text.matchAll(/(?:from|import)\s*\(?\s*'([^']+)'/g)].map((match) => match[1] as string);
}

/** The text without comments, which may say what code must not do. */
function code(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/^\s*\/\/.*$/gm, '');
}

test('every import runs with the arrows of the design', () => {
  const wrong: string[] = [];
  let seen = 0;
  for (const file of [...sources('protocol'), ...sources('client'), ...sources('src')]) {
    const room = roomOf(file);
    if (room === undefined || room === 'cli' || room === 'console') continue;
    const allowed = MAY_IMPORT[room];
    assert.ok(allowed, `${file} is in a room the design does not have`);
    for (const path of importsOf(readFileSync(file, 'utf8')).filter((path) => path.startsWith('.'))) {
      const target = normalize(join(dirname(file), path));
      if (target.startsWith('data/')) continue;
      seen += 1;
      const other = roomOf(target);
      if (other !== room && (other === undefined || !allowed.includes(other))) wrong.push(`${file} imports ${target}`);
    }
  }
  assert.deepEqual(wrong, []);
  assert.ok(seen > 100, `only ${seen} imports were looked at`);
});

test('protocol/ waits for nothing, reads no clock and draws no lots', () => {
  const wrong = sources('protocol').filter((file) => IMPURE.test(code(readFileSync(file, 'utf8'))));
  assert.deepEqual(wrong, []);
});

test('protocol/ and the client use only libraries that run everywhere', () => {
  for (const file of [...sources('protocol'), ...sources('client')]) {
    for (const path of importsOf(readFileSync(file, 'utf8')).filter((path) => !path.startsWith('.'))) {
      assert.match(path, PROTOCOL_PACKAGES, `${file} imports ${path}`);
    }
  }
});

test('every source file opens with its job', () => {
  const silent = [...sources('protocol'), ...sources('client'), ...sources('src'), ...sources('test')].filter(
    (file) => !file.endsWith('.d.ts') && !/^(#!.*\n)?\/\*\*|^\/\//.test(readFileSync(file, 'utf8')),
  );
  assert.deepEqual(silent, []);
});
