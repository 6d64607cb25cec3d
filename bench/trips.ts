/**
 * `npm run trips [-- --check | --keep | --list | --extensions NAMES]`: through how many files and functions of src/ and protocol/ a request goes, in a warmed
 * node of one process on SQLite. `--check` fails where a number has grown over trips.json, `--keep` writes it, and `--list` names
 * the files of each trip with the functions that it enters there. With `--extensions` the node runs with those alone, and a trip
 * that enters a file of another one fails.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { readConfig } from '../src/node/config/config.ts';
import { startNode } from '../src/node/startNode.ts';
import { type JsonObject, makePeer } from '../test/support/peer.ts';
import { HEADERS, makeCarts } from './buyer.ts';
import { openClient } from './client.ts';
import { type EnteredFunctions, type EntryRecorder, recordEntries } from './entries.ts';
import { ADMIN_KEY, intentBody, RULES, SHOP, signedCall } from './node.ts';

const KEPT = new URL('trips.json', import.meta.url);
/** What one of them leaves out came by chance. */
const RUNS = 5;
const ORDERED_RUNS = 2;
/** Workers and the views' writer wait so long at least between their rounds. */
const ROUND_MS = 500;
/** Until all that is loaded and cached late is there. */
const WARM_UP = 20;
/** So long after the answer what still belongs to the request has run, such as its line in the log. */
const SETTLE_MS = 30;

interface Trip {
  readonly files: number;
  readonly functions: number;
  /** How often one function after another is in another file. */
  readonly changesOfFile: number;
  readonly filesForOneFunction: number;
}

const MEASURES = ['files', 'functions', 'changesOfFile', 'filesForOneFunction'] as const;
type Trips = Readonly<Record<string, Trip>>;

/** A request that is ready to be sent, so that making it is not counted. */
type Send = () => Promise<void>;
/** Makes ready the next request of its kind. */
type Prepare = () => Promise<Send>;

const flag = { type: 'boolean', default: false } as const;
const extensions = { type: 'string', default: '' } as const;
const { values: options } = parseArgs({ options: { check: flag, keep: flag, list: flag, extensions } });
const rounds = endableRounds();
const folder = mkdtempSync(join(tmpdir(), 'countersign-trips-'));
let trips: Trips;
try {
  trips = await countTrips(folder);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
console.table(trips);
if (options.keep) writeFileSync(KEPT, `${JSON.stringify(trips, null, 2)}\n`);
if (options.check) check(trips, JSON.parse(readFileSync(KEPT, 'utf8')) as Trips);
process.exit();

/** Rounds of workers come beside every request that is slowed down by noting its entries: once they are ended, none begins any more. */
function endableRounds(): { end(): void } {
  const { setTimeout: plain } = globalThis;
  let areEnded = false;
  const endable = (then: (...given: unknown[]) => void, ms?: number, ...given: unknown[]) =>
    plain(() => {
      if (!areEnded || (ms ?? 0) < ROUND_MS) then(...given);
    }, ms);
  globalThis.setTimeout = Object.assign(endable, plain) as typeof plain;
  return {
    end() {
      areEnded = true;
    },
  };
}

async function countTrips(dataDir: string): Promise<Trips> {
  const recorder = recordEntries();
  const node = await startNode(
    readConfig({
      DATA_DIR: dataDir,
      PORT: '0',
      GATES: '0',
      EXTENSIONS: options.extensions,
      LOG_LEVEL: 'error',
      BOOTSTRAP_API_KEY: ADMIN_KEY,
      SANDBOX_RATE_PER_MINUTE: '1000000',
      SANDBOX_BURST: '1000000',
    }),
  );
  try {
    const prepared = await requests(node.address, node.deps.issuer.did);
    for (let count = 0; count < WARM_UP; count++) {
      for (const prepare of Object.values(prepared)) await (await prepare())();
    }
    rounds.end();
    await delay(2 * ROUND_MS);
    const entered = new Map<string, EnteredFunctions>();
    for (const [name, prepare] of Object.entries(prepared)) entered.set(name, await alwaysEntered(recorder, prepare));
    const found: Record<string, Trip> = {};
    for (const [name, functions] of entered) {
      const changesOfFile = await countChanges(recorder, functions, prepared[name] as Prepare);
      found[name] = tripOf(name, functions, changesOfFile);
    }
    return found;
  } finally {
    await node.stop();
  }
}

/** What a person's agent sends, by name: over A2A, but for one intent over REST. */
async function requests(address: string, issuerDid: string): Promise<Readonly<Record<string, Prepare>>> {
  const port = Number(new URL(address).port);
  const rest = await openClient(port, HEADERS.REST);
  const a2a = await openClient(port, HEADERS.A2A);
  const [agent, merchant, principal] = [makePeer(), makePeer(), makePeer()] as const;
  const ask = async (path: string, body: object) => okay(await rest.post(path, JSON.stringify(body)));
  await ask('/ap2/admin/policies', { name: 'Trips', rules: RULES });
  await ask('/ap2/admin/merchants', { domain: SHOP, did: merchant.did });
  await ask('/ap2/agents', { name: 'Trips', publicKey: agent.publicKey });
  const carts = makeCarts({ merchant }, (WARM_UP + RUNS + ORDERED_RUNS) * 2);

  const say = async (type: string, body: JsonObject) => {
    const call = signedCall({ issuerDid }, agent, type, body);
    return async () => okay(await a2a.post('/a2a/gateway', call)).result.message.body as JsonObject;
  };
  const intent = () => say('IntentMandate', intentBody({ principal }, agent));
  const cart = async () => {
    const { intentVc } = await (await intent())();
    return say('CartMandate', { intentVc: intentVc as JsonObject, cartVc: carts.pop() as JsonObject });
  };
  const payment = async () => {
    const { approvalToken } = await (await cart())();
    return say('PaymentMandate', { approvalToken: approvalToken as string });
  };
  const sent = (prepare: () => Promise<() => Promise<JsonObject>>): Prepare => {
    return async () => {
      const send = await prepare();
      return async () => {
        const answer = await send();
        if (answer['allowed'] === false) throw new Error(`Refused: ${JSON.stringify(answer)}`);
      };
    };
  };
  return {
    'A2A intent': sent(intent),
    'REST intent': sent(async () => {
      const body = JSON.stringify(intentBody({ principal }, agent));
      return async () => okay(await rest.post('/ap2/intents', body));
    }),
    cart: sent(cart),
    payment: sent(payment),
  };
}

// biome-ignore lint/suspicious/noExplicitAny: an answer of any operation
function okay({ status, text }: { readonly status: number; readonly text: string }): any {
  const answer = JSON.parse(text);
  if (status > 299 || answer.error !== undefined) throw new Error(`${status}: ${text}`);
  return answer;
}

/** The functions that each of some runs enters. */
async function alwaysEntered(recorder: EntryRecorder, prepare: Prepare): Promise<EnteredFunctions> {
  let always: EnteredFunctions | undefined;
  for (let run = 0; run < RUNS; run++) {
    const entered = await recorder.functionsDuring(settled(await prepare()));
    always = new Map([...(always ?? entered)].filter(([place]) => entered.has(place)));
  }
  return always ?? new Map();
}

async function countChanges(recorder: EntryRecorder, functions: EnteredFunctions, prepare: Prepare): Promise<number> {
  recorder.watch(functions);
  let fewest = Number.POSITIVE_INFINITY;
  for (let run = 0; run < ORDERED_RUNS; run++) {
    const files = await recorder.filesDuring(settled(await prepare()));
    fewest = Math.min(fewest, files.filter((file, index) => file !== files[index - 1]).length);
  }
  return fewest;
}

function tripOf(name: string, functions: EnteredFunctions, changesOfFile: number): Trip {
  const byFile = new Map<string, string[]>();
  for (const { file, name: each } of functions.values()) byFile.set(file, [...(byFile.get(file) ?? []), each]);
  requireKernel(name, [...byFile.keys()]);
  if (options.list) {
    console.log(`\n${name}`);
    for (const [file, names] of [...byFile].sort()) console.log(`  ${file}: ${names.join(', ')}`);
  }
  return {
    files: byFile.size,
    functions: functions.size,
    changesOfFile,
    filesForOneFunction: [...byFile.values()].filter(({ length }) => length === 1).length,
  };
}

/** @throws Error that names each file of an extension that the node runs without */
function requireKernel(name: string, files: readonly string[]): void {
  const on = options.extensions.split(',');
  const others = files.filter((file) => !on.includes(/^src\/extensions\/([^/]+)\//.exec(file)?.[1] ?? String(on[0])));
  if (options.extensions !== '' && others.length > 0) throw new Error(`${name} enters ${others.join(', ')}.`);
}

function settled(send: Send): () => Promise<void> {
  return async () => {
    await send();
    await delay(SETTLE_MS);
  };
}

/** @throws Error that names each number which has grown */
function check(trips: Trips, kept: Trips): void {
  const grown: string[] = [];
  for (const [name, trip] of Object.entries(trips)) {
    for (const measure of MEASURES) {
      const before = kept[name]?.[measure] ?? 0;
      if (trip[measure] > before) grown.push(`${name}, ${measure}: ${trip[measure]}, kept: ${before}`);
    }
  }
  if (grown.length > 0) throw new Error(`A trip has become longer:\n${grown.join('\n')}`);
}
