/** `countersign evidence verify`: checks evidence with nothing but the issuer's DID, no network, no database. */
import { createReadStream } from 'node:fs';
import type { Suite } from '../../../protocol/credential/ed25519.ts';
import { toHex } from '../../../protocol/credential/encodings.ts';
import { describeApproval } from '../../../protocol/evidence/bundleApproval.ts';
import { compareChain } from '../../../protocol/evidence/compareCheckpoint.ts';
import { originOf } from '../../../protocol/evidence/log/checkpoint.ts';
import { cosignedBy, readCosignatures, type WitnessDemand } from '../../../protocol/evidence/log/cosignature.ts';
import { type NoteDemand, readVerifierKey, WITNESS_KEY } from '../../../protocol/evidence/log/note.ts';
import { verifyBundle } from '../../../protocol/evidence/verifyBundle.ts';
import { verifyExport } from '../../../protocol/evidence/verifyExport.ts';
import { nativeSuite } from '../../crypto/nativeSuite.ts';
import { reasonOf, WrongUse } from '../commandFailure.ts';
import { readHead, readTextFile } from '../input/files.ts';
import { colour, print } from '../output/print.ts';
import { isWebAddress } from '../target/targetOptions.ts';
import { againstKept, compareBundle } from './againstKept.ts';
import { ExportReader } from './exportReader.ts';

interface VerifyOptions {
  readonly issuer: string;
  readonly checkpoint?: string;
  readonly consistency?: string;
  readonly witness?: readonly string[];
  readonly witnessQuorum?: number;
  readonly allowUnsigned?: boolean;
  readonly acceptStated?: boolean;
  readonly origin?: string;
  readonly json?: boolean;
}

/** The result of a verification; the exit code is 1 where `ok` is false. */
interface Verdict {
  readonly ok: boolean;
  readonly [fact: string]: unknown;
}

export async function verifyFile(file: string, options: VerifyOptions): Promise<void> {
  const suite = nativeSuite();
  const asked: VerificationRequest = { ...options, demand: demandOf(suite, options) };
  const verdict = isNdjson(file) ? await judgeNdjson(suite, file, asked) : judgeJson(suite, readTextFile(file), asked);
  print(options, verdict, sentence(verdict));
  if (!verdict.ok) process.exitCode = 1;
}

interface VerificationRequest extends VerifyOptions {
  /** By whom the checkpoint must be cosigned. */
  readonly demand: WitnessDemand | undefined;
}

/** @throws WrongUse for a text that is no key, one that is given twice, and a quorum that cannot be met */
function demandOf(
  suite: Suite,
  { witness: keys = [], witnessQuorum: quorum }: VerifyOptions,
): WitnessDemand | undefined {
  const witnesses = keys.map((text) => {
    const key = readVerifierKey(suite, text, WITNESS_KEY);
    if (typeof key === 'string') throw new WrongUse(`--witness ${text}: ${key}, as countersign witness prints it.`);
    return key;
  });
  // The same key under another name would count twice.
  const isTwice = new Set(witnesses.map(({ publicKey }) => toHex(publicKey))).size < witnesses.length;
  if (isTwice) throw new WrongUse('Each --witness must have another key.');
  if (quorum !== undefined && quorum > witnesses.length) {
    throw new WrongUse(`--witness-quorum ${quorum} is more than the ${witnesses.length} that --witness names.`);
  }
  return witnesses.length === 0 ? undefined : { witnesses, quorum: quorum ?? witnesses.length };
}

function noteDemand(suite: Suite, { demand }: VerificationRequest): NoteDemand | undefined {
  return demand === undefined ? undefined : cosignedBy(suite, demand);
}

interface Cosigner {
  readonly witness: string;
  readonly at: string;
  /** Its time lies ahead of this machine’s clock: one of the two clocks is wrong. */
  readonly isAhead?: true;
}

/** How far clocks may differ before it is told. */
const TOLERANCE_MS = 300_000;

/** Who of the witnesses that are asked for has cosigned, and when by its own clock. */
function cosignersOf(
  suite: Suite,
  note: string | null,
  demand: WitnessDemand | undefined,
): { readonly cosigned?: readonly Cosigner[] } {
  if (demand === undefined || note === null) return {};
  const read = readCosignatures(suite, note, demand.witnesses);
  const latest = Date.now() + TOLERANCE_MS;
  const cosigned = (read.ok ? read.cosignatures : []).map(({ witness, time }) => ({
    witness: witness.name,
    at: new Date(time * 1000).toISOString(),
    ...(time * 1000 > latest ? { isAhead: true as const } : {}),
  }));
  return { cosigned };
}

/** Enough for the first event of a chain. */
const HEAD_BYTES = 64 * 1024;

/** Whether the first line of a file is an event, or the end of an export without any. */
function isNdjson(file: string): boolean {
  const [line, more] = readHead(file, HEAD_BYTES).split('\n', 2);
  const value = more === undefined ? undefined : parseOrNothing(line ?? '');
  return typeof value === 'object' && value !== null && ('hashCurr' in value || 'end' in value);
}

async function judgeNdjson(suite: Suite, file: string, options: VerificationRequest): Promise<Verdict> {
  const events: unknown[] = [];
  try {
    const reader = new ExportReader(createReadStream(file, 'utf8'));
    for await (const line of reader.events()) events.push(JSON.parse(line));
    return judgeExport(suite, { events, ...reader.end }, options);
  } catch (error) {
    const reason = error instanceof SyntaxError ? `Line ${events.length + 1} is not JSON.` : reasonOf(error);
    return { ok: false, part: 'file', reason };
  }
}

function judgeJson(suite: Suite, text: string, options: VerificationRequest): Verdict {
  const value = parseOrNothing(text);
  const isExport = typeof value === 'object' && value !== null && 'events' in value && !('format' in value);
  return isExport ? judgeExport(suite, value, options) : judgeBundle(suite, text, options);
}

function parseOrNothing(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function judgeBundle(suite: Suite, text: string, options: VerificationRequest): Verdict {
  const reader = { demand: noteDemand(suite, options), origin: originIn(options) };
  const check = verifyBundle(suite, text, options.issuer, reader);
  if (!check.ok) return check;
  const { bundle, checkpoint, issuers, unsigned, approval } = check;
  const approved = describeApproval(approval);
  const fault = againstKept(suite, options.checkpoint, issuers, (kept) =>
    compareBundle(suite, kept, checkpoint, options.consistency),
  );
  if (fault !== undefined) return fault;
  if (unsigned.length > 0 && options.allowUnsigned !== true) {
    const reason = `${unsigned.join(' ')} With --allow-unsigned it is taken all the same.`;
    return { ok: false, part: 'unsigned', reason, unsigned };
  }
  if (approval.by === 'node' && options.acceptStated !== true) {
    const reason = `The approval is ${approved}: ${approval.reason}. With --accept-stated it is taken all the same.`;
    return { ok: false, part: 'presence', reason, approved };
  }
  return {
    ok: true,
    kind: 'bundle',
    transactionId: bundle.transactionId,
    events: bundle.events.map(({ seq, eventType, createdAt }) => ({ seq, eventType, createdAt })),
    approved,
    ...(approval.by === 'node' ? { notShown: approval.reason } : {}),
    chainLength: checkpoint.size,
    ...cosignersOf(suite, bundle.checkpoint, options.demand),
    unsigned,
  };
}

/** @throws WrongUse for what is no address */
function originIn({ origin }: VerifyOptions): string | undefined {
  if (origin === undefined || isWebAddress(origin)) return origin && new URL(origin).origin;
  throw new WrongUse(`--origin ${origin} is not an address; one looks like https://pay.example.`);
}

function judgeExport(suite: Suite, value: unknown, options: VerificationRequest): Verdict {
  const check = verifyExport(suite, value, options.issuer, noteDemand(suite, options));
  if (!check.ok) return { ok: false, part: 'events', reason: check.reason };
  const { events, issuers, tenantId, retiredAt, checkpoint } = check;
  const fault = againstKept(suite, options.checkpoint, issuers, (kept, signer) => {
    const end = retiredAt.get(signer) ?? Number.POSITIVE_INFINITY;
    if (kept.size < end) return compareChain(suite, kept, originOf(tenantId), events);
    const reason = `The checkpoint is over ${kept.size} events, but the key of ${signer} was retired by event ${end}.`;
    return { ok: false, fault: 'foreign', reason };
  });
  return (
    fault ?? {
      ok: true,
      kind: 'chain',
      chainLength: events.length,
      ...cosignersOf(suite, checkpoint, options.demand),
    }
  );
}

function sentence(verdict: Verdict): string {
  if (!verdict.ok) return `${colour.red('✗')} ${verdict.part}: ${verdict.reason}`;
  const cosigners = (verdict.cosigned ?? []) as readonly Cosigner[];
  const cosigned = [
    ...cosigners.map(({ witness, at }) => `  ${at}  cosigned by the witness ${witness}`),
    ...cosigners.flatMap(({ witness, at, isAhead }) =>
      isAhead
        ? [`${colour.yellow('!')} The cosignature of ${witness} is dated ${at}, ahead of this machine’s clock.`]
        : [],
    ),
  ];
  if (verdict.kind === 'chain') {
    return [`${colour.green('✓')} The chain of ${verdict.chainLength} events holds.`, ...cosigned].join('\n');
  }
  const events = verdict.events as { seq: number; eventType: string; createdAt: string }[];
  const lines = events.map(({ seq, eventType, createdAt }) => `  ${createdAt}  ${eventType} (event ${seq})`);
  return [
    `${colour.green('✓')} ${verdict.transactionId} holds, in a chain of ${verdict.chainLength} events; approval: ${verdict.approved}.`,
    ...(verdict.notShown === undefined ? [] : [`${colour.yellow('!')} The touch is not shown: ${verdict.notShown}.`]),
    ...(verdict.unsigned as string[]).map((part) => `${colour.yellow('!')} ${part}`),
    ...lines,
    ...cosigned,
  ].join('\n');
}
