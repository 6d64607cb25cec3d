/**
 * Plays seeds, as `npm run simulate` asks for them. One seed is played in this process; several ones in a process each, so that
 * nothing of one world is left in the next.
 */
import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { loadAll } from './machine/loadAll.ts';
import { drawSeed } from './machine/realParts.ts';
import { tellStory } from './oracle/tellStory.ts';
import { type Played, playWorld } from './playWorld.ts';
import { YEAR_DAYS } from './year/calendar.ts';

const HELP = `npm run simulate -- [options]
  --seed TEXT      play this world; the same seed and steps play the same world again
  --steps NUMBER   how many things happen before the world is let come to rest (20000 unless given)
  --without PARTS  leave these out, with commas between: actors, and kinds of faults
  --days NUMBER    days of purchases in place of steps and faults; --year for 365
  --purchases NUMBER of each of these days, on an average (1000 unless given)
  --engine NAME    sqlite (unless given) or postgres: nodes on a real PostgreSQL server, which is started for them. The seed
                   decides who lives there and what goes wrong, and not which statement is first: it is not the same world again
  --migration FILE upgrade to a version whose last file of the schema is this one, in place of versions made for the purpose
  --minutes NUMBER play fresh worlds one after another for so long
  --json           print what came of the world as JSON, with its history's violations
`;
const FIGURES = join('dist', 'figures');
/** What takes as long is a figure of docs/explanation/reliability.md. */
const MONTH_DAYS = 31;
const SERVER = 'SIMULATION_SERVER';

interface Options {
  readonly seed: string | undefined;
  readonly steps: number;
  readonly without: readonly string[];
  readonly days: number | undefined;
  readonly purchases: number | undefined;
  readonly minutes: number | undefined;
  /** Of PostgreSQL, where that is the engine. */
  readonly server: string | undefined;
  /** A file. */
  readonly migration: string | undefined;
  readonly json: boolean;
}

function readOptions(): Options | undefined {
  const { values } = parseArgs({
    options: {
      seed: { type: 'string' },
      steps: { type: 'string', default: '20000' },
      without: { type: 'string', default: '' },
      days: { type: 'string' },
      purchases: { type: 'string' },
      year: { type: 'boolean', default: false },
      minutes: { type: 'string' },
      migration: { type: 'string' },
      engine: { type: 'string', default: 'sqlite' },
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) return undefined;
  const without = values.without.split(',').filter((part) => part !== '');
  const minutes = values.minutes === undefined ? undefined : positive('minutes', values.minutes);
  const given = values.days === undefined ? undefined : positive('days', values.days);
  const days = values.year ? YEAR_DAYS : given;
  const purchases = values.purchases === undefined ? undefined : positive('purchases', values.purchases);
  const steps = positive('steps', values.steps);
  const { seed, migration, engine, json } = values;
  if (days !== undefined && engine !== 'sqlite')
    throw new Error(`--engine ${engine}: days are played on sqlite alone.`);
  return { days, purchases, seed, steps, without, minutes, server: serverOf(engine), migration, json };
}

/** @returns the URL of the server that scripts/simulate.mjs has started; undefined for SQLite */
function serverOf(engine: string): string | undefined {
  if (engine === 'sqlite') return undefined;
  const url = process.env[SERVER];
  if (engine === 'postgres' && url !== undefined) return url;
  throw new Error(`--engine ${engine}: give sqlite or postgres.`);
}

function readMigration(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new Error(`--migration ${file}: give a file of SQL that can be read (${(error as Error).message}).`);
  }
}

function positive(name: string, text: string): number {
  const value = Number(text);
  if (value > 0 && Number.isFinite(value)) return value;
  throw new Error(`--${name} ${text}: give a number above 0.`);
}

/** The command that plays a world again. */
function commandOf({ engine, plan: { seed, steps, without, days, purchases } }: Played): string {
  const left = without.length === 0 ? '' : ` --without '${without.join(',')}'`;
  const on = engine === 'sqlite' ? '' : ` --engine ${engine}`;
  const each = purchases === undefined ? '' : ` --purchases ${purchases}`;
  const long = days === undefined ? `--steps ${steps}` : `--days ${days}${each}`;
  return `npm run simulate -- --seed ${seed} ${long}${on}${left}`;
}

async function playOne(options: Options, seed: string): Promise<boolean> {
  const { steps, without, days, purchases, server, migration } = options;
  const plan = {
    seed,
    steps,
    without,
    ...(days !== undefined && { days }),
    ...(purchases !== undefined && { purchases }),
    ...(server !== undefined && { server }),
    ...(migration !== undefined && { migration: readMigration(migration) }),
  };
  const { played, history, forgotten } = await playWorld(plan, (line) => console.error(line));
  if (options.json) console.log(JSON.stringify(played));
  else {
    console.log(lineOf(played));
    console.log(`trace ${played.trace}`);
  }
  if ((plan.days ?? 0) >= MONTH_DAYS) noteFigure(nameOf(played), measureOf(played));
  const [violation] = played.violations;
  if (violation === undefined) return true;
  const said = options.json ? console.error : console.log;
  for (const { invariant, sentence } of played.violations.slice(0, 10)) said(`${invariant}: ${sentence}`);
  const happenings = violation.happenings.map((place) => place - forgotten);
  said(tellStory(history, { ...violation, happenings }).join('\n'));
  said(`Play it again: ${commandOf(played)}`);
  return false;
}

function lineOf(played: Played): string {
  const { plan, engine, nodes, hours, processorSeconds, faults, violations, steps, stepsAtRest } = played;
  const list = Object.entries(faults).map(([what, count]) => `${count} ${what}`);
  const speed = Math.round(steps / processorSeconds);
  return (
    `seed ${plan.seed}: ${steps} steps, ${stepsAtRest} of them to rest, ${nodes} nodes on ${engine}, ${hours.toFixed(2)} h of its time, ` +
    `${speed} steps a second of the processor; ${list.join(', ')}; ${violations.length === 0 ? 'all invariants hold' : 'VIOLATED'}`
  );
}

/** Plays a fresh world in a process of its own. @returns undefined where it could not be played */
function playApart(options: Options, seed: string): Promise<Played | undefined> {
  const args = [String(process.argv[1]), '--json', '--seed', seed, '--steps', String(options.steps)];
  if (options.without.length > 0) args.push('--without', options.without.join(','));
  if (options.server !== undefined) args.push('--engine', 'postgres');
  if (options.migration !== undefined) args.push('--migration', options.migration);
  const child = spawn(process.execPath, ['--enable-source-maps', ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
  let output = '';
  child.stdout.on('data', (bytes) => {
    output += bytes;
  });
  return new Promise((resolve) => {
    child.on('close', () => resolve(output === '' ? undefined : (JSON.parse(output) as Played)));
  });
}

async function playMany(options: Options, minutes: number): Promise<boolean> {
  const until = performance.now() + minutes * 60_000;
  const total = { worlds: 0, steps: 0, hours: 0, failed: 0, faults: new Map<string, number>() };
  while (performance.now() < until) {
    const seed = String(drawSeed());
    const played = await playApart(options, seed);
    total.worlds += 1;
    if (played === undefined || played.violations.length > 0) total.failed += 1;
    console.log(played === undefined ? `seed ${seed}: could not be played` : lineOf(played));
    if (played === undefined) continue;
    total.steps += played.steps;
    total.hours += played.hours;
    for (const [what, count] of Object.entries(played.faults)) {
      total.faults.set(what, (total.faults.get(what) ?? 0) + count);
    }
  }
  const faults = [...total.faults].sort().map(([what, count]) => `${count} × ${what}`);
  const measured =
    `${total.worlds} worlds, ${total.steps} steps, ${Math.round(total.hours)} h of their time; ${faults.join(', ')}: ` +
    (total.failed === 0 ? 'every invariant held' : `${total.failed} worlds violated an invariant`);
  console.log(measured);
  noteFigure(`Simulated worlds on ${options.server === undefined ? 'sqlite' : 'postgres'}`, measured);
  return total.failed === 0;
}

function nameOf({ plan: { days, purchases } }: Played): string {
  const each = purchases === undefined ? '' : `, of ${purchases} purchases a day`;
  return `A simulated ${days === YEAR_DAYS ? 'year' : `time of ${days} days`} on sqlite${each}`;
}

/** What days came to. */
function measureOf({ plan, steps, done, processorSeconds, megabytes, violations }: Played): string {
  const all = (pattern: RegExp) =>
    Object.entries(done).reduce((sum, [what, count]) => (pattern.test(what) ? sum + count : sum), 0);
  const paid = all(/^payments authorized$/);
  return (
    `${plan.days} days of the clock, ${all(/^purchases begun$/)} purchases begun, ${paid} paid (${Math.round(paid / (plan.days ?? 1))} a day), ` +
    `${all(/^payments: capture$/)} captured, ${all(/^payments: refund$/)} refunded, ${all(/^payments: cancel$/)} cancelled, ` +
    `${all(/^refused: /)} reasons to refuse; ${all(/^issuer keys rotated$/)} rotations of the issuer’s key, ` +
    `${all(/keys replaced$/)} other keys replaced, ${all(/^old checkpoints proven$/)} old checkpoints and ${all(/^old events proven$/)} old events proven; ` +
    `${steps} steps in ${(processorSeconds / 60).toFixed(1)} min of a processor and ${megabytes} MiB: ` +
    (violations.length === 0 ? 'every invariant held' : 'an invariant was violated')
  );
}

/** For docs/explanation/reliability.md, into which `npm run test:long` writes it (test/support/figures.ts does so within a test). */
function noteFigure(what: string, measured: string): void {
  mkdirSync(FIGURES, { recursive: true });
  writeFileSync(join(FIGURES, `${what.replaceAll(/[^a-z0-9]+/gi, '-')}.json`), JSON.stringify({ what, measured }));
}

const options = readOptions();
if (options === undefined) console.log(HELP);
else if (options.minutes !== undefined && options.seed === undefined) {
  process.exitCode = (await playMany(options, options.minutes)) ? 0 : 1;
} else {
  await loadAll(String(process.argv[1]));
  const isWell = await playOne(options, options.seed ?? String(drawSeed()));
  // What waits in the world waits for ever.
  process.exit(isWell ? 0 : 1);
}
