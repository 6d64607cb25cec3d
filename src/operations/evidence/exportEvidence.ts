/** Exports evidence, oldest first, as JSON, NDJSON or CSV, streamed. */
import { type ChainedRecord, eventLine } from '../../../protocol/evidence/chain.ts';
import { EvidenceExport, type ExportCut, type ExportEnd, ExportEvidence } from '../../../protocol/evidence/query.ts';
import { Fault, WENT_WRONG } from '../../../protocol/wire/fault.ts';
import { checkpointOver, unlessRefused } from '../../domain/checkpoints/checkpointOver.ts';
import { cosignedCheckpoint } from '../../domain/checkpoints/cosignedCheckpoint.ts';
import { CSV_HEADER, csvLine } from '../../domain/evidence/showEvidence.ts';
import { type ChainWalk, walkChain } from '../../domain/evidence/walkChain.ts';
import { type EvidenceFilter, findSeq } from '../../store/statements/evidence/search.ts';
import { ByteStream } from '../../usecase/byteStream.ts';
import { type Deps, firstIssuer } from '../../usecase/deps.ts';
import { inSteps, useCase } from '../../usecase/useCase.ts';
import type { CosignerDeps } from '../../usecase/watch.ts';

export const exportEvidence = useCase({
  summary:
    'Exports evidence, oldest first, as JSON, NDJSON or CSV, and reports whether the chain is valid over that range.',
  input: ExportEvidence,
  output: EvidenceExport,
  media: ['text/csv', 'application/x-ndjson'],
  permission: 'read',
  run: inSteps<ExportEvidence, ByteStream>(async (deps, caller, input) => {
    if (input.from !== undefined && input.to !== undefined && input.from > input.to) {
      throw new Fault('BAD_REQUEST', '"from" lies after "to".', [{ path: 'from', message: 'must not lie after "to"' }]);
    }
    const filter: EvidenceFilter = input;
    const { tenantId } = caller;
    const range = await deps.store.readApart(function* () {
      const toSeq = yield* findSeq(tenantId, filter, 'DESC', 1);
      const fromSeq =
        (input.last === undefined ? undefined : yield* findSeq(tenantId, filter, 'DESC', input.last)) ??
        (yield* findSeq(tenantId, filter, 'ASC', 1));
      return { fromSeq: fromSeq ?? 0, toSeq: toSeq ?? 0 };
    });
    const { contentType, render, cutLine } = FORMATS[input.format];
    const toSeq = (await cosignedEnd(deps, tenantId, range, input)) ?? range.toSeq;
    const pieces = render(deps, tenantId, { ...range, toSeq }, filter);
    return new ByteStream(contentType, saidIfCut(deps, pieces, cutLine));
  }),
});

/**
 * Where an export of the whole chain ends, for it to end with a checkpoint that others have cosigned. They are asked
 * before the events are read, since they cosign no checkpoint that they have seen a later one of.
 */
async function cosignedEnd(
  deps: CosignerDeps,
  tenantId: string,
  { toSeq }: Range,
  { last, from, to, eventTypes, actorDid }: ExportEvidence,
): Promise<number | undefined> {
  const isWhole = [last, from, to, eventTypes, actorDid].every((filter) => filter === undefined);
  if (!isWhole || toSeq === 0 || deps.evidence.cosigners.length === 0) return undefined;
  const checkpoint = await cosignedCheckpoint(deps, tenantId, toSeq).catch(unlessRefused);
  return checkpoint?.size;
}

interface Range {
  readonly fromSeq: number;
  readonly toSeq: number;
}

type Render = (deps: Deps, tenantId: string, range: Range, filter: EvidenceFilter) => AsyncGenerator<string>;

interface Format {
  readonly contentType: string;
  readonly render: Render;
  /** The last line of an export that could not be read to its end. */
  cutLine(cut: ExportCut): string;
}

const FORMATS: Readonly<Record<ExportEvidence['format'], Format>> = {
  json: {
    contentType: 'application/json; charset=utf-8',
    render: renderJson,
    cutLine: (cut) => `\n],"cut":${JSON.stringify(cut)}}`,
  },
  ndjson: {
    contentType: 'application/x-ndjson; charset=utf-8',
    render: renderNdjson,
    cutLine: (cut) => `${JSON.stringify({ cut })}\n`,
  },
  csv: {
    contentType: 'text/csv; charset=utf-8',
    render: renderCsv,
    cutLine: ({ code, message }) => `# The export was cut: ${code}. ${message}\n`,
  },
};

/** Each piece ends between two events, so that what was given before the cut can be read. */
async function* saidIfCut(
  { log }: Pick<Deps, 'log'>,
  pieces: AsyncGenerator<string>,
  cutLine: Format['cutLine'],
): AsyncGenerator<string> {
  let given = 0;
  try {
    for await (const piece of pieces) {
      given += 1;
      yield piece;
    }
  } catch (error) {
    // Nothing has left yet: it is an answer like any other that failed.
    if (given === 0) throw error;
    const fault = error instanceof Fault ? error : new Fault('INTERNAL_ERROR', WENT_WRONG);
    log.error('evidence.export_cut', { error });
    yield cutLine({ code: fault.code, message: fault.message });
  }
}

async function* renderJson(...[deps, tenantId, range, filter]: Parameters<Render>): AsyncGenerator<string> {
  yield '{"events":[';
  let chainValid = true;
  let comma = '';
  for await (const piece of walk(deps, tenantId, range)) {
    chainValid = piece.broken === undefined;
    let text = '';
    for (const event of matching(piece, filter)) {
      text += comma + eventLine(event);
      comma = ',';
    }
    yield text;
  }
  yield `],${JSON.stringify(await endOf(deps, tenantId, range, chainValid)).slice(1)}`;
}

async function* renderNdjson(...[deps, tenantId, range, filter]: Parameters<Render>): AsyncGenerator<string> {
  let chainValid = true;
  for await (const piece of walk(deps, tenantId, range)) {
    chainValid = piece.broken === undefined;
    yield matching(piece, filter)
      .map((event) => `${eventLine(event)}\n`)
      .join('');
  }
  yield `${JSON.stringify({ end: await endOf(deps, tenantId, range, chainValid) })}\n`;
}

async function* renderCsv(...[deps, tenantId, range, filter]: Parameters<Render>): AsyncGenerator<string> {
  yield CSV_HEADER;
  for await (const piece of walk(deps, tenantId, range)) yield matching(piece, filter).map(csvLine).join('');
}

async function endOf(
  deps: Pick<Deps, 'evidence' | 'issuer' | 'keys' | 'log' | 'store' | 'suite'>,
  tenantId: string,
  range: Range,
  chainValid: boolean,
): Promise<ExportEnd> {
  // Nothing is signed over a chain that does not hold.
  const checkpoint = chainValid ? await checkpointOver(deps, tenantId, range.toSeq) : null;
  return { chainValid, ...range, issuer: firstIssuer(deps), tenantId, checkpoint };
}

function walk(
  deps: Pick<Deps, 'data' | 'evidence' | 'issuer' | 'store' | 'suite'>,
  tenantId: string,
  range: Range,
): AsyncIterable<ChainWalk> {
  return range.toSeq === 0 ? nothing() : walkChain(deps, tenantId, range.fromSeq, range.toSeq);
}

async function* nothing(): AsyncGenerator<never> {}

/** Every event is read, to verify the chain; only the events asked for are returned. */
function matching(piece: ChainWalk, filter: EvidenceFilter): ChainedRecord[] {
  const types = filter.eventTypes === undefined ? undefined : new Set(filter.eventTypes);
  return piece.events.filter((event) => {
    const at = Date.parse(event.createdAt);
    return (
      (types === undefined || types.has(event.eventType)) &&
      (filter.actorDid === undefined || event.actorDid === filter.actorDid) &&
      (filter.from === undefined || at >= filter.from) &&
      (filter.to === undefined || at <= filter.to)
    );
  });
}
