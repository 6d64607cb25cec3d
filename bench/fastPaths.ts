/** Each fast path against the plain version beside it: how many times faster it is. Tests hold that both agree. */
import { join } from 'node:path';
import { canonical, canonicalPlainly } from '../protocol/credential/canonical.ts';
import { issueCredential } from '../protocol/credential/vc.ts';
import { nativeSuite, sha256, sha256Plainly } from '../src/crypto/nativeSuite.ts';
import { SqliteConnection } from '../src/store/sqlite/sqliteConnection.ts';
import type { Options } from './options.ts';
import { median, type Target } from './report.ts';

interface FastPath {
  readonly name: string;
  fast(): unknown;
  plain(): unknown;
}

/** Both sides are measured in turns of this length, so that what else the machine does hits both. */
const TURN_MS = 25;
const TURNS_A_ROUND = 8;

export async function measureFastPaths(options: Options, folder: string): Promise<Target[]> {
  return fastPaths(folder).map(({ name, fast, plain }) => {
    const calls = callsIn(TURN_MS, plain);
    const rounds: number[] = [];
    for (let round = -1; round < options.rounds; round++) {
      let [fastMs, plainMs] = [0, 0];
      for (let turn = 0; turn < TURNS_A_ROUND; turn++) {
        fastMs += cpuMsOf(calls, fast);
        plainMs += cpuMsOf(calls, plain);
      }
      // The first round only warms up.
      if (round >= 0) rounds.push(plainMs / fastMs);
    }
    return { name, figure: median(rounds), target: 1, better: 'higher', rounds };
  });
}

function fastPaths(folder: string): FastPath[] {
  const suite = nativeSuite();
  const signer = suite.signer(new Uint8Array(32).fill(1));
  const subject = {
    mandateId: 'intent_1',
    agentDid: signer.did,
    principalDid: signer.did,
    maxAmount: 50,
    currency: 'USD',
  };
  const issuedAt = Date.parse('2026-01-01T00:00:00Z');
  const vc = issueCredential(suite, signer, { id: 'urn:uuid:1', type: 'IntentMandate', subject, issuedAt });
  const reply = { type: 'IntentResult', from: signer.did, body: { allowed: true, intentVc: vc.document } };
  const connection = new SqliteConnection(join(folder, 'fastPaths.db'), { checkpointAt: 8000 });
  connection.command('CREATE TABLE agents (did TEXT PRIMARY KEY, name TEXT)');
  connection.command("INSERT INTO agents VALUES ('did:key:z', 'x')");
  const find = { sql: 'SELECT * FROM agents WHERE did = ?', args: ['did:key:z'] };
  return [
    {
      name: 'canonical JSON of a credential',
      fast: () => canonical(vc.document),
      plain: () => canonicalPlainly(vc.document),
    },
    {
      name: 'canonical JSON of an answer around a signed credential',
      fast: () => canonical(reply, [vc]),
      plain: () => canonical(reply),
    },
    { name: 'SHA-256 of a credential', fast: () => sha256(vc.text), plain: () => sha256Plainly(vc.text) },
    {
      name: 'an agent from the row cache',
      fast: () => connection.execute({ ...find, cached: { tables: ['agents'] } }),
      plain: () => connection.execute(find),
    },
  ];
}

/** How many calls take so long. */
function callsIn(ms: number, call: () => unknown): number {
  let calls = 1;
  while (cpuMsOf(calls, call) < ms) calls *= 2;
  return calls;
}

let sink: unknown;

function cpuMsOf(calls: number, call: () => unknown): number {
  const before = process.cpuUsage();
  for (let i = 0; i < calls; i++) sink = call();
  if (sink === undefined) throw new Error('A measured call gave nothing.');
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}
