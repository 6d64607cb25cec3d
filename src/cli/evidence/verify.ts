/** `countersign evidence verify FILE`: checks evidence with nothing but the issuer's DID, no network, no database. */
import { readFileSync } from 'node:fs';
import { Command } from 'commander';
import pc from 'picocolors';
import type { Suite } from '../../../protocol/credential/ed25519.ts';
import { fromBase64 } from '../../../protocol/credential/encodings.ts';
import { type Checkpoint, openCheckpoint, originOf } from '../../../protocol/evidence/checkpoint.ts';
import { type Comparison, compareChain, compareCheckpoints } from '../../../protocol/evidence/compareCheckpoint.ts';
import { Consistency } from '../../../protocol/evidence/query.ts';
import { verifyBundle } from '../../../protocol/evidence/verifyBundle.ts';
import { verifyExport } from '../../../protocol/evidence/verifyExport.ts';
import { nativeSuite } from '../../crypto/nativeSuite.ts';

interface VerifyOptions {
  readonly issuer: string;
  readonly checkpoint?: string;
  readonly consistency?: string;
  readonly json?: boolean;
}

/** What is said about a file; `ok` false makes the exit code 1. */
interface Verdict {
  readonly ok: boolean;
  readonly [fact: string]: unknown;
}

export function verifyCommand(): Command {
  return new Command('verify')
    .description('Check a portable bundle, or an export of the whole chain, without any node.')
    .argument('<file>', 'a bundle (?format=portable) or an export (format=json)')
    .requiredOption('--issuer <did>', 'the DID of the node that keeps the evidence, as you know it')
    .option('--checkpoint <file>', 'a signed checkpoint you kept: tells a chain that was cut or rewritten')
    .option('--consistency <file>', 'the proof from that checkpoint to the one in the bundle')
    .option('--json', 'answer in JSON')
    .action((file: string, options: VerifyOptions) => {
      const verdict = judge(nativeSuite(), readFileSync(file, 'utf8'), options);
      console.log(options.json === true ? JSON.stringify(verdict) : sentence(verdict));
      if (!verdict.ok) process.exitCode = 1;
    });
}

function judge(suite: Suite, text: string, options: VerifyOptions): Verdict {
  return isExport(text) ? judgeExport(suite, JSON.parse(text), options) : judgeBundle(suite, text, options);
}

function isExport(text: string): boolean {
  try {
    const value = JSON.parse(text) as { events?: unknown; format?: unknown };
    return Array.isArray(value.events) && value.format === undefined;
  } catch {
    return false;
  }
}

function judgeBundle(suite: Suite, text: string, options: VerifyOptions): Verdict {
  const check = verifyBundle(suite, text, options.issuer);
  if (!check.ok) return check;
  const { bundle, checkpoint, issuers } = check;
  const fault = againstKept(suite, options, issuers, (kept) =>
    compareCheckpoints(suite, kept, checkpoint, consistencyIn(options.consistency)),
  );
  if (fault !== undefined) return fault;
  const demo = bundle.presence !== undefined && !issuers.includes(bundle.presence.issuer);
  return {
    ok: true,
    kind: 'bundle',
    transactionId: bundle.transactionId,
    events: bundle.events.map(({ seq, eventType, createdAt }) => ({ seq, eventType, createdAt })),
    approved: bundle.presence === undefined ? 'no approval was needed' : demo ? 'by the sandbox' : 'by a passkey',
    chainLength: checkpoint.size,
  };
}

function judgeExport(suite: Suite, value: unknown, options: VerifyOptions): Verdict {
  const check = verifyExport(suite, value, options.issuer);
  if (!check.ok) return { ok: false, part: 'events', reason: check.reason };
  const { events, issuers, tenantId } = check;
  const fault = againstKept(suite, options, issuers, (kept) => compareChain(suite, kept, originOf(tenantId), events));
  return fault ?? { ok: true, kind: 'chain', chainLength: events.length };
}

/** What the checkpoint that the reader kept has against the evidence. */
function againstKept(
  suite: Suite,
  options: VerifyOptions,
  issuers: readonly string[],
  compare: (kept: Checkpoint) => Comparison,
): Verdict | undefined {
  if (options.checkpoint === undefined) return undefined;
  const kept = openCheckpoint(suite, readFileSync(options.checkpoint, 'utf8'), issuers);
  if (!kept.ok) return { ok: false, part: 'kept checkpoint', reason: kept.reason };
  const compared = compare(kept.checkpoint);
  return compared.ok ? undefined : { part: 'kept checkpoint', ...compared };
}

function consistencyIn(file: string | undefined): Uint8Array[] | undefined {
  if (file === undefined) return undefined;
  const { proof } = Consistency.parse(JSON.parse(readFileSync(file, 'utf8')));
  return proof.map((hash) => fromBase64(hash) ?? new Uint8Array());
}

function sentence(verdict: Verdict): string {
  if (!verdict.ok) return `${pc.red('✗')} ${verdict.part}: ${verdict.reason}`;
  if (verdict.kind === 'chain') return `${pc.green('✓')} The chain of ${verdict.chainLength} events holds.`;
  const events = verdict.events as { seq: number; eventType: string; createdAt: string }[];
  const lines = events.map(({ seq, eventType, createdAt }) => `  ${createdAt}  ${eventType} (event ${seq})`);
  return [
    `${pc.green('✓')} ${verdict.transactionId} holds, in a chain of ${verdict.chainLength} events; approved: ${verdict.approved}.`,
    ...lines,
  ].join('\n');
}
