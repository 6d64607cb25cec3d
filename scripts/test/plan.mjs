// Which test files a run has, and which of them share a process.
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';

/** Files that `npm test` leaves to `npm run test:rest`: they take long, or play what only a release changes. */
const LATER = new RegExp(
  `^test/(${[
    '(simulation|binary|browser|docs|deploy)/',
    'client/package',
    'python/',
    'examples/',
    // Processes that are killed, disks that fill or rot, floods: real ones of what the simulator plays all the time.
    'journeys/(crash|mandates|mandateCrash|delegations|ucp|noticeCrash|taskCrash|approvalCrash|webhookCrash|sharedBudget|digest|powerCut|haltedNode|fullDisk|rottenPages|floods)\\.',
    'extensions/(addExtension|takeAway|stripe/stripeFaults|stripe/stripeUnknown)\\.',
    'store/sqlite/powerCut',
    'extensions/(witness/killedWitness|guard/program|(mpp|x402)/killedPurchase)\\.',
    'maintenance/',
    'cli/(seed/seed|playground/playground)\\.',
    // Every route by every credential; the gates' own matrix is small.
    'access/matrix',
    // A rail that says nothing takes its time-outs.
    'journeys/rail\\.test',
    // Other programs: a browser, Python, a thousand hard keys.
    'journeys/publicPath',
    'extensions/mcp/pythonClient',
    'crypto/agreement',
    // What a stranger may cost is measured.
    'attacks/(costlyStrangers|busyStripeAccount)',
    // Starts of programs, one after the other.
    'cli/server/firstKey',
  ].join('|')})`,
);
/** Of these, the one that `npm test` has. */
const SOONER = 'test/browser/consoleFirstHour.test.ts';
/** Of the browser's, the ones that are played on the other engine too. */
const ON_BOTH = /^test\/browser\/(console|consoleJourneys)\.test\.ts$/;
/** Their figures would be those of what runs beside them. */
const LONG = '.long.test.ts';

/** A file with hooks or clocks for all tests of its process has one of its own. */
const ALONE = /^(before|after|beforeEach|afterEach)\(|\bmock\.(timers|method)\b|process\.env\[?[.'"\w]+\]? = /m;
const PLAYS_EACH_ENGINE = /\bof everyEngine\(\)|\bof \(?everyEngine\(\)/;
const MOST_TOGETHER = 12;

/** What runs in one process, with the engine that whole nodes have there (TEST_ENGINE; both without it). */
const part = (files, engine) => ({ files, engine });

/** Support that starts nodes with the extensions of the run (test/support/extensionsOn.ts). */
const STARTS_NODES = ['world', 'lives', 'memoryNode'].map((name) => `test/support/${name}.ts`);
/** How a file of an extension declares a path, an operation of a route, or a setting. */
const DECLARED =
  /\bpath: '(\/[^':]+[^':/])|_PATH = '(\/[^']+)'|\buseCase: '(\w+)'|^ {2}([A-Z][A-Z0-9]*_[A-Z0-9_]+): z$/gm;

/** @param what 'fast', 'rest', 'long' or 'kernel' @returns parts, the longest first */
export function planOf(what) {
  const files = testFiles().filter((file) => what === 'long' || !file.endsWith(LONG));
  if (what === 'long') return together(files, undefined);
  if (what === 'kernel') return together(files.filter(kernelTests()), 'sqlite');
  const later = files.filter((file) => LATER.test(file) && file !== SOONER);
  const fast = files.filter((file) => !later.includes(file));
  if (what === 'fast') return together(fast, 'sqlite');
  const again = files.filter((file) => (fast.includes(file) || ON_BOTH.test(file)) && playsEachEngine(file));
  return [...together(later, 'sqlite'), ...together(again, 'postgres')];
}

/** Files that are named: each as often as it is. */
export function partsOf(files) {
  return together(files, undefined);
}

function together(files, engine) {
  const alone = files.filter((file) => ALONE.test(readFileSync(file, 'utf8')));
  const folders = new Map();
  for (const file of files.filter((each) => !alone.includes(each))) {
    const folder = file.split('/').slice(0, 2).join('/');
    folders.set(folder, [...(folders.get(folder) ?? []), file]);
  }
  const parts = alone.map((file) => part([file], engine));
  for (const [folder, all] of folders) {
    const most = /browser|simulation|binary|deploy|docs/.test(folder) ? 1 : MOST_TOGETHER;
    for (let from = 0; from < all.length; from += most) parts.push(part(all.slice(from, from + most), engine));
  }
  return parts;
}

/**
 * The kernel's own tests, which a node without extensions but a rail passes: those of `npm test` outside test/extensions/ that start nodes in
 * this process, where neither the test nor what it imports of test/ imports an extension, or names a path, an operation or a setting of one.
 */
function kernelTests() {
  const texts = ['src/extensions', 'protocol/a2a', 'protocol/ap2'].flatMap((folder) =>
    readdirSync(folder, { recursive: true })
      .filter((file) => file.endsWith('.ts'))
      .map((file) => readFileSync(join(folder, file), 'utf8')),
  );
  const names = texts.flatMap((text) => [...text.matchAll(DECLARED)].map((found) => found.slice(1).find(Boolean)));
  const named = [...new Set(names)].map((name) => name.replaceAll(/[/.]/g, '\\$&')).join('|');
  const ofExtension = new RegExp(`src/extensions/[\\w-]+/|(?<!\\w)(?:${named})(?![\\w-])`);
  return (file) => {
    if (LATER.test(file) || file.startsWith('test/extensions/') || file.startsWith('test/cli/')) return false;
    const reached = reachedFrom(file);
    return (
      reached.some((each) => STARTS_NODES.includes(each)) &&
      !reached.some((each) => ofExtension.test(readFileSync(each, 'utf8')))
    );
  };
}

/** A test with what it imports of test/, and so on. */
function reachedFrom(file, reached = new Set()) {
  reached.add(file);
  for (const [, path] of readFileSync(file, 'utf8').matchAll(/from '(\.[^']+\.ts)'/g)) {
    const target = normalize(join(dirname(file), path));
    if (target.startsWith('test/') && !reached.has(target)) reachedFrom(target, reached);
  }
  return [...reached];
}

function playsEachEngine(file) {
  return PLAYS_EACH_ENGINE.test(readFileSync(file, 'utf8'));
}

function testFiles() {
  return readdirSync('test', { recursive: true })
    .filter((file) => file.endsWith('.test.ts'))
    .map((file) => join('test', file))
    .sort();
}
