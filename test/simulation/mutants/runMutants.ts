/**
 * `npm run simulate:mutants`: plants each known bug in a copy of the tree, has the simulator play fresh seeds there until it finds the
 * bug or its time is over, and writes what came of it into docs/explanation/reliability.md. Exit code 1 where more than two stay unseen.
 *   --seconds N   for each bug, 300 unless given
 *   --steps N     of each world, 10,000 unless given
 *   --only TEXT   the bugs whose name contains it; the others' rows stay as they are
 *   --amid KIND   faults, tricks, limits, checkouts, mandates, people, tasks, tools, sockets, gates, sites, 'payments elsewhere' or 'sites in trouble': only the bugs that show there
 *   --from NUMBER bugs from this one on, counted from 1
 */
import { spawn } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import type { Played } from '../playWorld.ts';
import { LEFT_OUT } from './calm.ts';
import { MUTANTS, type Mutant } from './mutants.ts';
import { plant } from './plant.ts';
import { type Row, writeRows } from './table.ts';

/** What the simulator is made from. The copy shares the packages, which no mutant changes. */
const COPIED = ['src', 'protocol', 'client', 'data', 'console', 'test', 'scripts', 'docs', 'bin'];
const FILES = ['package.json', 'package-lock.json', 'tsconfig.json', 'agent-card.json', 'LICENSE', 'README.md'];
/** So many may stay unseen. */
const MOST_UNSEEN = 2;

const { values: options } = parseArgs({
  options: {
    seconds: { type: 'string', default: '300' },
    steps: { type: 'string', default: '10000' },
    only: { type: 'string', default: '' },
    from: { type: 'string', default: '1' },
    amid: { type: 'string', default: '' },
  },
});
const steps = Number(options.steps);
const root = process.cwd();
const folder = resolve(root, 'dist', 'mutants', String(process.pid));
/** One copy gets the bugs; the other shows whether a world fails without them. */
const TREES = { planted: join(folder, 'planted'), sound: join(folder, 'sound') } as const;

interface Play {
  readonly invariant: string;
  readonly sentence: string;
  readonly steps: number;
}

/** The process of the world that is being played. */
let playing: number | undefined;

process.once('SIGINT', () => process.exit(1));
process.once('SIGTERM', () => process.exit(1));
process.once('exit', () => {
  endPlaying();
  rmSync(folder, { recursive: true, force: true });
});
for (const tree of Object.values(TREES)) copyTree(tree);
process.exitCode = await runAll();

async function runAll(): Promise<number> {
  const sound = new Map<string, Play | undefined>();
  const rows: Row[] = [];
  const isWanted = ({ name, amid }: Mutant) => name.includes(options.only) && amid.includes(options.amid);
  for (const mutant of MUTANTS.slice(Number(options.from) - 1).filter(isWanted)) {
    const row = await hunt(mutant, sound);
    rows.push(row);
    const found = row.caught === undefined ? 'NOT SEEN' : `${row.caught}, seed ${row.seed}, ${row.steps} steps`;
    console.log(
      `${mutant.name}: ${found}, ${row.seconds} s${row.sentence === undefined ? '' : `\n    ${row.sentence}`}`,
    );
    writeRows(root, [row]);
  }
  const unseen = rows.filter(({ caught }) => caught === undefined);
  console.log(`${rows.length - unseen.length} of ${rows.length} were found.`);
  return unseen.length > MOST_UNSEEN ? 1 : 0;
}

/** Plays one seed after another with the bug planted. */
async function hunt(mutant: Mutant, sound: Map<string, Play | undefined>): Promise<Row> {
  const began = performance.now();
  const until = began + Number(options.seconds) * 1000;
  const place = join(TREES.planted, mutant.file);
  const source = readFileSync(place, 'utf8');
  const seconds = () => Math.round((performance.now() - began) / 1000);
  writeFileSync(place, plant(source, mutant));
  let seed = 0;
  while (performance.now() < until) {
    seed += 1;
    const found = await play(TREES.planted, mutant, seed, until - performance.now());
    if (found === undefined) continue;
    // A world that fails without the bug as well says nothing of it.
    const world = `${mutant.engine} ${mutant.amid} ${seed}`;
    if (!sound.has(world)) sound.set(world, await play(TREES.sound, mutant, seed, 600_000));
    if (sound.get(world)?.invariant === found.invariant) continue;
    const { invariant: caught, sentence } = found;
    writeFileSync(place, source);
    return { mutant, caught, seed, steps: found.steps, seconds: seconds(), sentence };
  }
  writeFileSync(place, source);
  console.log(`    ${seed} worlds`);
  return { mutant, caught: undefined, seed: undefined, steps: undefined, seconds: seconds(), sentence: undefined };
}

/** @returns the first violation, undefined where there was none in the time @throws Error where the world could not be played */
async function play(tree: string, mutant: Mutant, seed: number, patienceMs: number): Promise<Play | undefined> {
  const { amid, engine = 'sqlite' } = mutant;
  const args = ['scripts/simulate.mjs', '--json', '--seed', String(seed), '--steps', String(steps), '--engine', engine];
  args.push('--without', LEFT_OUT[amid].join(','));
  const child = spawn(process.execPath, args, { cwd: tree, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  let errors = '';
  child.stdout.on('data', (chunk) => {
    output += chunk;
  });
  child.stderr.on('data', (chunk) => {
    errors += chunk;
  });
  playing = child.pid;
  let isOver = false;
  const timer = setTimeout(() => {
    isOver = true;
    endPlaying();
  }, patienceMs);
  await new Promise((done) => child.on('close', done));
  clearTimeout(timer);
  playing = undefined;
  if (isOver) return undefined;
  if (output === '') throw new Error(`Seed ${seed} could not be played:\n${errors.slice(-3000)}`);
  const { violations, violatedAt = steps } = JSON.parse(output) as Pick<Played, 'violations' | 'violatedAt'>;
  const [first] = violations;
  return first && { invariant: first.invariant, sentence: first.sentence, steps: violatedAt };
}

/** The child has children of its own, which end with its group; where one is a server, the child waits for it and tidies up. */
function endPlaying(): void {
  if (playing !== undefined) process.kill(-playing, 'SIGTERM');
}

function copyTree(tree: string): void {
  mkdirSync(tree, { recursive: true });
  for (const folder of COPIED) cpSync(join(root, folder), join(tree, folder), { recursive: true });
  for (const file of FILES) cpSync(join(root, file), join(tree, file));
  symlinkSync(join(root, 'node_modules'), join(tree, 'node_modules'));
}
