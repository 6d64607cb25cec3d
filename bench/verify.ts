/** A chain verified as the console's worker does it: processor time of one core, by bytes and by parsing, interleaved. */
import { createSHA256 } from 'hash-wasm';
import { canonical } from '../protocol/credential/canonical.ts';
import { nobleSuite, type Suite } from '../protocol/credential/ed25519.ts';
import { type EvidenceEvent, eventLine, genesisHash, hashEvent } from '../protocol/evidence/chain.ts';
import { checkPiece } from '../protocol/evidence/chainPieces.ts';
import { nativeSuite } from '../src/crypto/nativeSuite.ts';
import { memoryNode } from '../test/support/memoryNode.ts';
import type { Loose } from '../test/support/world.ts';
import type { Options } from './options.ts';
import { median, type Target } from './report.ts';

const EVENTS = 40_000;
const ISSUER = 'did:key:z6Mkon3Necd6NkkyfoGoHxid2znGc59LU3K7mubaRcFbLfLX';

export async function measureVerify(options: Options): Promise<Target[]> {
  const events = await chainOf(EVENTS);
  const encode = (lines: readonly string[]) => new TextEncoder().encode(lines.join('\n'));
  const asSent = encode(events.map((event) => eventLine({ ...event, dataText: canonical(event.data) })));
  // Another order of the members is the same event, and has to be parsed.
  const toParse = encode(events.map((event) => JSON.stringify(event)));
  const hasher = await createSHA256();
  const wasm: Suite = { ...nobleSuite, sha256Bytes: (bytes) => hasher.init().update(bytes).digest('binary') };
  const rates: Record<'wasm' | 'script' | 'parsed', number[]> = { wasm: [], script: [], parsed: [] };
  for (let round = 0; round < Math.max(3, options.rounds); round += 1) {
    rates.wasm.push(rateOf(wasm, asSent));
    rates.script.push(rateOf(nobleSuite, asSent));
    rates.parsed.push(rateOf(nobleSuite, toParse));
  }
  const text = (each: readonly number[]) => `${median(each).toFixed(0)} events a second`;
  console.log(`${EVENTS} events of ${(asSent.length / EVENTS).toFixed(0)} bytes, as purchases leave them`);
  console.log(`by bytes, WebAssembly: ${text(rates.wasm)}`);
  console.log(`by bytes, JavaScript:  ${text(rates.script)}`);
  console.log(`by parsing:            ${text(rates.parsed)}`);
  const ratios = rates.wasm.map((rate, round) => rate / (rates.parsed[round] as number));
  return [
    {
      name: 'events verified a second of CPU',
      figure: median(rates.wasm),
      target: 100_000,
      better: 'higher',
      rounds: rates.wasm,
    },
    { name: 'verified by bytes / by parsing', figure: median(ratios), target: 3, better: 'higher', rounds: ratios },
  ];
}

/** @returns events a second of processor time */
function rateOf(suite: Suite, bytes: Uint8Array): number {
  const before = process.cpuUsage();
  const { fault } = checkPiece(suite, bytes);
  const { user, system } = process.cpuUsage(before);
  if (fault !== undefined) throw new Error(fault.reason);
  return EVENTS / ((user + system) / 1e6);
}

/** A chain whose events say what those of purchases say. */
async function chainOf(count: number): Promise<EvidenceEvent[]> {
  const node = await memoryNode();
  const { did } = await node.agent();
  for (let bought = 0; bought < 5; bought += 1) await node.pay(did, 10 + bought);
  const { data } = await node.run('searchEvidence', { limit: 200 });
  const recorded: Loose[] = data.filter(({ data: facts }: Loose) => facts.transactionId !== undefined);
  const suite = nativeSuite();
  let hashPrev = genesisHash(suite, ISSUER, 'tnt_bench');
  return Array.from({ length: count }, (_, index) => {
    const event: EvidenceEvent = { ...recorded[index % recorded.length], seq: index + 1, hashPrev };
    const hashCurr = hashEvent(suite, { ...event, dataText: canonical(event.data) });
    hashPrev = hashCurr;
    return { ...event, hashCurr };
  });
}
