/** The layout in order: imports run one way, every export has an importer, names stand once, and protocol/ stays pure. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join, normalize } from 'node:path';
import { test } from 'node:test';

const FOUNDATION = ['protocol', 'store', 'rails', 'crypto', 'access', 'fetch'];
/** What operations are made of: each floor may import those before it. */
const FLOORS = ['usecase', 'domain', 'operations'];
const GATES = ['gates', 'webhooks', 'workers', 'maintenance'];

/** Each room and the rooms it may import besides itself. Rooms between two arrows do not import each other. */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  protocol: [],
  client: ['protocol'],
  console: ['protocol', 'client'],
  assets: [],
  store: ['protocol', 'assets'],
  rails: ['protocol'],
  crypto: ['protocol', 'assets'],
  access: ['protocol'],
  fetch: ['protocol'],
  usecase: FOUNDATION,
  domain: [...FOUNDATION, 'usecase'],
  operations: [...FOUNDATION, 'usecase', 'domain'],
  core: [...FOUNDATION, ...FLOORS],
  gates: [...FOUNDATION, 'assets', ...FLOORS, 'core'],
  webhooks: [...FOUNDATION, ...FLOORS],
  workers: [...FOUNDATION, ...FLOORS],
  maintenance: [...FOUNDATION, 'assets', ...FLOORS],
  documents: [...FOUNDATION, 'assets', ...FLOORS, 'core', 'gates'],
  extensions: [...FOUNDATION, 'assets', ...FLOORS, 'core', ...GATES, 'documents', 'client'],
  node: [...FOUNDATION, 'assets', ...FLOORS, 'core', ...GATES, 'documents', 'extensions'],
  cli: [...FOUNDATION, 'assets', ...FLOORS, ...GATES, 'documents', 'extensions', 'node', 'client'],
};

/** What main.ts, the only loose file, may import: it hands the command line its environment, or runs a gate. */
const MAIN_IMPORTS = ['cli', 'node', 'assets'];

/** An operation, or a function of domain/, that uses more of the node than this does more than one thing. */
const MOST_DEPS = 12;
/** How many members the named parts of the dependencies have (src/usecase/deps.ts, src/usecase/hooks.ts), without `tracing`, which is for all. */
const PARTS_OF_DEPS: Readonly<Record<string, number>> = { EventDeps: 6, HookDeps: 11 };
/** Files in which functions are still given all of the dependencies: the list may only become shorter. */
const GIVEN_ALL = [
  'src/domain/access/startLogin.ts',
  'src/domain/checkpoints/keptCheckpoints.ts',
  'src/domain/decisions/recordedFacts.ts',
  'src/domain/payments/askRail.ts',
  'src/domain/payments/convergePayment.ts',
  'src/domain/payments/recordOutcome.ts',
  'src/domain/payments/settleAttempt.ts',
  'src/domain/payments/throughRail.ts',
  'src/domain/railEvents/handleRailEvent.ts',
  'src/domain/railEvents/receiveRailEvent.ts',
  'src/operations/access/logInThere.ts',
  'src/operations/decisions/showDecision.ts',
  'src/operations/evidence/exportEvidence.ts',
  'src/operations/overview/showHealth.ts',
  'src/operations/payments/reconcilePayment.ts',
  'src/operations/people/acceptInvitation.ts',
  'src/operations/people/signIn.ts',
  'src/operations/webhooks/manageWebhooks.ts',
];

/** A folder with more files than this has more than one subject. */
const MOST_FILES = 22;

/** A function with more lines than this does more than one thing. */
const MOST_LINES = 60;

/** The libraries protocol/ may use; everything else would tie it to one place it runs in. */
const PROTOCOL_PACKAGES = /^(zod|@noble\/|bs58$|canonicalize$|fflate$)/;
const IMPURE = /\bawait\b|\bDate\.now\b|\bnew Date\(\)|\bMath\.random\b|\bprocess\b|\bBuffer\b|['"]node:/;

const SOURCES = [...filesIn('protocol'), ...filesIn('client'), ...filesIn('console'), ...filesIn('src')];
const TEXTS = new Map(
  [...SOURCES, ...filesIn('test'), ...filesIn('bench'), ...filesIn('scripts')].map((file) => [
    file,
    readFileSync(file, 'utf8'),
  ]),
);

function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(ts|tsx|mjs)$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name));
}

function groupedBy(files: readonly string[], key: (file: string) => string): Map<string, string[]> {
  const groups = new Map<string, string[]>();
  for (const file of files) groups.set(key(file), [...(groups.get(key(file)) ?? []), file]);
  return groups;
}

function textOf(file: string): string {
  return TEXTS.get(file) as string;
}

/** The room a file is in; undefined for the loose files of src/. What an extension shows in the console lies in its folder. */
function roomOf(file: string): string | undefined {
  if (/^src\/extensions\/[^/]+\/console\//.test(file)) return 'console';
  const [top, room, ...rest] = file.split('/');
  if (top === 'protocol' || top === 'client' || top === 'console') return top;
  return top === 'src' && rest.length > 0 ? room : undefined;
}

function importsOf(text: string): string[] {
  return [...text.matchAll(/(?:from|import)\s*\(?\s*'([^']+)'/g)].map((match) => match[1] as string);
}

/** The files of the project that a file imports. */
function targetsOf(file: string): string[] {
  return importsOf(textOf(file))
    .filter((path) => path.startsWith('.'))
    .map((path) => normalize(join(dirname(file), path)));
}

/** The text without comments, which may say what code must not do. */
function code(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/^\s*\/\/.*$/gm, '');
}

test('every import runs with the arrows of the design', () => {
  const wrong: string[] = [];
  let seen = 0;
  for (const file of SOURCES) {
    const room = roomOf(file);
    const allowed = room === undefined ? MAIN_IMPORTS : MAY_IMPORT[room];
    assert.ok(allowed, `${file} is in a room the design does not have`);
    for (const path of importsOf(textOf(file)).filter((path) => path.startsWith('.'))) {
      const target = normalize(join(dirname(file), path));
      if (target.startsWith('data/')) continue;
      seen += 1;
      const other = roomOf(target);
      if (other !== room && (other === undefined || !allowed.includes(other))) wrong.push(`${file} imports ${target}`);
    }
  }
  assert.deepEqual(wrong, []);
  assert.ok(seen > 1000, `only ${seen} imports were looked at`);
});

/** Which extensions there are, and what each shows in the console. */
const EXTENSION_LISTS = ['src/extensions/list.ts', 'src/extensions/nodeOperations.ts', 'console/extensionScreens.ts'];

test('no extension imports another one, and only the lists name them', () => {
  const found = SOURCES.flatMap((file) =>
    targetsOf(file)
      .filter((target) => /^src\/extensions\/[^/]+\//.test(target))
      .filter((target) => !EXTENSION_LISTS.includes(file) && !file.startsWith(`${extensionOf(target)}/`))
      .map((target) => `${file} imports ${target}`),
  );
  assert.deepEqual(found, []);
  const loose = filesIn('src/extensions').filter((file) => dirname(file) === 'src/extensions');
  assert.deepEqual(loose.sort(), [
    'src/extensions/extension.ts',
    'src/extensions/list.ts',
    'src/extensions/nodeOperations.ts',
    'src/extensions/programHost.ts',
    'src/extensions/tool.ts',
  ]);
});

/** The folder of an extension that a file is in. */
function extensionOf(file: string): string {
  return file.split('/').slice(0, 3).join('/');
}

test('no operation imports another one: what both need is in domain/', () => {
  const operations = filesIn('src/operations').filter((file) => dirname(file) !== 'src/operations');
  const found = operations.flatMap((file) =>
    targetsOf(file)
      .filter((target) => target.startsWith('src/operations/'))
      .map((target) => `${file} imports ${target}`),
  );
  assert.deepEqual(found, []);
  assert.ok(operations.length > 50, `only ${operations.length} operations were looked at`);
});

test('operations and what they share name what they use of the node', () => {
  const files = [...filesIn('src/domain'), ...filesIn('src/operations')];
  const all = files.filter((file) => /(\bdeps|\}): Deps\b/.test(code(textOf(file))));
  assert.deepEqual(all.sort(), GIVEN_ALL);
  const many = files.flatMap((file) => {
    const picks = code(textOf(file)).matchAll(/(?:(EventDeps|HookDeps) & )?Pick<\s*Deps,([^>]*)>/g);
    return [...picks].flatMap(([, part = '', members = '']) => {
      const count = (PARTS_OF_DEPS[part] ?? 0) + members.split('|').filter((each) => each.trim() !== '').length;
      return count > MOST_DEPS ? [`${file}: ${count}`] : [];
    });
  });
  assert.deepEqual(many, []);
});

test('what an extension is given of a node stays small, and what operations are given are nouns', () => {
  const text = code(textOf('src/usecase/deps.ts'));
  const membersOf = (name: string) => {
    const [, body = ''] = new RegExp(`^export interface ${name}\\b[^{]*\\{\\n([\\s\\S]*?)^\\}`, 'm').exec(text) ?? [];
    return [...body.matchAll(/^ {2}(?:readonly )?(\w+)\??[:(]/gm)].map((match) => match[1]);
  };
  assert.equal(membersOf('Kernel').length, 16);
  assert.deepEqual(membersOf('Deps'), ['operations', 'keys', 'access', 'people', 'data', 'memory', 'tracing']);
});

test('the core reaches operations through their table', () => {
  const targets = filesIn('src/core').flatMap(targetsOf);
  const found = new Set(targets.filter((target) => target.startsWith('src/operations/')));
  assert.deepEqual([...found], ['src/operations/table.ts']);
});

test('folders do not import each other in a circle', () => {
  const folders = new Map<string, Set<string>>();
  for (const file of filesIn('src')) {
    const from = dirname(file);
    const others = targetsOf(file).map((target) => dirname(target));
    const apart = others.filter((to) => to.startsWith('src/') && areApart(from, to));
    folders.set(from, new Set([...(folders.get(from) ?? []), ...apart]));
  }
  assert.deepEqual(circlesIn(folders), [], 'Each circle is a list of folders, each of which imports the next.');
  assert.deepEqual(
    circlesIn(
      new Map([
        ['a', new Set(['b'])],
        ['b', new Set(['c'])],
        ['c', new Set(['b'])],
      ]),
    ),
    ['b → c → b'],
  );
});

/** A folder holds what its own folders share, and what puts them together; neither is an import of another subject. */
function areApart(one: string, other: string): boolean {
  return one !== other && !one.startsWith(`${other}/`) && !other.startsWith(`${one}/`);
}

/** One circle for each arrow that closes one. */
function circlesIn(arrows: ReadonlyMap<string, ReadonlySet<string>>): string[] {
  const circles: string[] = [];
  const left = new Set<string>();
  const walk = (folder: string, way: readonly string[]): void => {
    const start = way.indexOf(folder);
    if (start >= 0) circles.push([...way.slice(start), folder].join(' → '));
    if (start >= 0 || left.has(folder)) return;
    for (const next of arrows.get(folder) ?? []) walk(next, [...way, folder]);
    left.add(folder);
  };
  for (const folder of arrows.keys()) walk(folder, []);
  return circles;
}

test('the core loads nothing that only gates need, and the command line nothing of the core, before it is asked for', () => {
  const core = loadedWith('src/node/startNode.ts');
  assert.ok(core.has('src/operations/table.ts'), 'the way to the use cases was not found');
  for (const gates of ['src/node/gate/openGate.ts', 'src/gates/rest/app.ts', 'koa', 'ws'])
    assert.ok(!core.has(gates), gates);
  const commands = loadedWith('src/cli/program.ts');
  assert.ok(commands.has('src/node/gate/gateHost.ts'), 'the way to the thread of a gate was not found');
  for (const part of ['src/operations/table.ts', 'zod']) assert.ok(!commands.has(part), part);
});

/** What is loaded with a file: files and packages, without those that are imported when they are needed. */
function loadedWith(file: string, loaded: Set<string> = new Set()): Set<string> {
  if (loaded.has(file)) return loaded;
  loaded.add(file);
  for (const [, path = ''] of textOf(file).matchAll(/^(?:import|export)\s+(?!type\b)[^'";]*?from\s+'([^']+)'/gm)) {
    if (path.endsWith('.ts')) loadedWith(normalize(join(dirname(file), path)), loaded);
    else loaded.add(path);
  }
  return loaded;
}

test('src/ holds main.ts and rooms, operations/ the table, the hooks and nouns, and no folder has more files than one subject needs', () => {
  const loose = SOURCES.filter((file) => file.startsWith('src/') && roomOf(file) === undefined);
  assert.deepEqual(loose, ['src/main.ts']);
  const byNoun = SOURCES.filter((file) => /^src\/(domain|operations)\/[^/]+$/.test(file));
  assert.deepEqual(byNoun.sort(), ['src/operations/hookLists.ts', 'src/operations/table.ts']);
  const counts = groupedBy(SOURCES, dirname);
  const crowded = [...counts].filter(([, files]) => files.length > MOST_FILES).map(([folder]) => folder);
  assert.deepEqual(crowded, []);
});

test('no function has more lines than one thought needs', () => {
  const long = SOURCES.flatMap((file) => {
    const lines = textOf(file).split('\n');
    return lines.flatMap((line, start) => {
      const name = /^(?:export )?(?:async )?function\*? (\w+)/.exec(line)?.[1];
      if (name === undefined || line.endsWith('}')) return [];
      const length = lines.indexOf('}', start) - start + 1;
      return length > MOST_LINES ? [`${file} ${name}`] : [];
    });
  });
  assert.deepEqual(long, [], 'Split these by meaning.');
});

test('no file name stands twice in rooms that meet', () => {
  const meet = (one: string, other: string) =>
    one === other || MAY_IMPORT[one]?.includes(other) || MAY_IMPORT[other]?.includes(one);
  const inRooms = SOURCES.filter((file) => roomOf(file) !== undefined);
  const twice = [...groupedBy(inRooms, (file) => basename(file))].flatMap(([, files]) =>
    files.flatMap((file, index) =>
      files
        .slice(index + 1)
        .filter((other) => meet(String(roomOf(file)), String(roomOf(other))))
        .map((other) => `${file} ${other}`),
    ),
  );
  assert.deepEqual(twice, []);
});

test('every export is imported somewhere, and nothing but the client’s index exports what another file declares', () => {
  const imported = new Map<string, Set<string>>();
  const everything = new Set<string>();
  for (const [file, text] of TEXTS) {
    for (const { names, target } of namesImported(file, text)) {
      if (names === undefined) everything.add(target);
      const known = imported.get(target) ?? new Set();
      for (const name of names ?? []) known.add(name);
      imported.set(target, known);
    }
  }
  const declared = /^export (?:async )?(?:function\*?|const|let|class|abstract class|interface|type) (\w+)/gm;
  const dead = SOURCES.filter((file) => file !== 'client/index.ts' && !everything.has(file)).flatMap((file) =>
    [...textOf(file).matchAll(declared)]
      .map((match) => match[1] as string)
      .filter((name) => !imported.get(file)?.has(name))
      .map((name) => `${file}: ${name}`),
  );
  assert.deepEqual([...new Set(dead)], [], 'No file imports these: remove `export`, or the declaration.');
  const passedOn = SOURCES.filter(
    (file) => file !== 'client/index.ts' && /^export (\*|\{|type \{)/m.test(textOf(file)),
  );
  assert.deepEqual(passedOn, []);
});

/** What a file imports by name; no names where it takes the whole module. */
function namesImported(file: string, text: string): { names: string[] | undefined; target: string }[] {
  const found: { names: string[] | undefined; target: string }[] = [];
  const resolve = (path: string) => normalize(join(dirname(file), path));
  const named = (list: string) =>
    list.split(',').map((item) =>
      (
        item
          .trim()
          .replace(/^type /, '')
          .split(/ as |:/)[0] as string
      ).trim(),
    );
  for (const match of text.matchAll(/(?:import|export) (?:type )?\{([^}]*)\} from '(\.[^']+)'/g)) {
    found.push({ names: named(match[1] as string), target: resolve(match[2] as string) });
  }
  for (const match of text.matchAll(/\{([^{}]*)\}\s*=\s*await import\(\s*'(\.[^']+)'/g)) {
    found.push({ names: named(match[1] as string), target: resolve(match[2] as string) });
  }
  for (const match of text.matchAll(/(?:\* as \w+|export (?:type )?\*) from '(\.[^']+)'/g)) {
    found.push({ names: undefined, target: resolve(match[1] as string) });
  }
  // A module loaded for one member: `(await import('…')).name`, or one that is handed on.
  for (const match of text.matchAll(/import\(\s*'(\.[^']+)'\s*\)\)?\.(?:then\(\(\{ (\w+)|(\w+))/g)) {
    const name = match[2] ?? (match[3] as string);
    found.push({ names: [name], target: resolve(match[1] as string) });
  }
  return found;
}

/** Participles that are nouns of the field. */
const NOUNS =
  /^(Binding|Finding|Heading|Keyring|Listing|Mapping|Meaning|Narrowing|Setting|Shopping|Spending|Tracing|Warning)$/;
/** A word that is a participle, or says only where something was or what was done with it. */
const PARTICIPLE =
  /^([A-Z][a-z]+(ed|ing)|Begun|Bought|Found|Given|Known|Left|Made|Paid|Sent|Shown|Sight|Taken|Then|Thrown|Told)$|^Kept[A-Z]|(Way|Standing|Told|Place)$/;

test('types are named by nouns, and not by participles', () => {
  const found = typesOf().flatMap(({ file, name }) =>
    PARTICIPLE.test(name) && !NOUNS.test(name) ? [`${basename(file)} ${name}`] : [],
  );
  assert.deepEqual(found, []);
});

test('one name is the name of one exported type', () => {
  const exported = typesOf().filter(({ isExported }) => isExported);
  const files = new Map<string, Set<string>>();
  for (const { name, file } of exported) files.set(name, (files.get(name) ?? new Set()).add(file));
  const twice = [...files].filter(([, each]) => each.size > 1).map(([name]) => name);
  assert.deepEqual(twice, []);
});

function typesOf(): { readonly file: string; readonly name: string; readonly isExported: boolean }[] {
  const declared = /^(export )?(?:interface|type|(?:abstract )?class) (\w+)/gm;
  return SOURCES.filter((file) => !/\/generated\/|^client\/operations\.ts$/.test(file)).flatMap((file) =>
    [...textOf(file).matchAll(declared)].map(([, exported, name]) => ({
      file,
      name: String(name),
      isExported: exported !== undefined,
    })),
  );
}

test('the scripts that every request runs are functions of their modules, and none is made anew', () => {
  // V8 makes a map and a prototype for each generator function, which keep what it encloses until the whole heap is collected.
  const madeAnew = /\bfunction\* ?\(|^[ \t]+function\*/m;
  const onTheWay = [...filesIn('src/core'), ...filesIn('src/usecase'), 'src/domain/payments/throughRail.ts'];
  const found = onTheWay.filter((file) => madeAnew.test(code(textOf(file))));
  assert.deepEqual(found, [], 'name the script in its module, and give the store an arrow that calls it');
});

test('protocol/ waits for nothing, and reads neither clock nor random numbers', () => {
  const wrong = filesIn('protocol').filter((file) => IMPURE.test(code(textOf(file))));
  assert.deepEqual(wrong, []);
});

test('protocol/ and the client use only libraries that run everywhere', () => {
  for (const file of [...filesIn('protocol'), ...filesIn('client')]) {
    for (const path of importsOf(textOf(file)).filter((path) => !path.startsWith('.'))) {
      assert.match(path, PROTOCOL_PACKAGES, `${file} imports ${path}`);
    }
  }
});

test('every source file opens with its job', () => {
  const silent = [...SOURCES, ...filesIn('test'), ...filesIn('bench')].filter(
    (file) => !file.endsWith('.d.ts') && !/^(#!.*\n)?\/\*\*|^\/\//.test(textOf(file)),
  );
  assert.deepEqual(silent, []);
});
