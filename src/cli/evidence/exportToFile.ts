/** `countersign evidence export`: events, oldest first, to a file or standard output as they come. */
import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type EvidenceEvent, recordOf } from '../../../protocol/evidence/chain.ts';
import type { ExportEnd } from '../../../protocol/evidence/query.ts';
import { compact } from '../../../protocol/wire/compact.ts';
import { CSV_HEADER, csvLine } from '../../domain/evidence/showEvidence.ts';
import { requireFolderOf } from '../input/files.ts';
import { endWithReader, print } from '../output/print.ts';
import { inputOf } from '../target/listRecords.ts';
import type { TargetOptions } from '../target/targetOptions.ts';
import { withTarget } from '../target/withTarget.ts';
import { ExportReader } from './exportReader.ts';
import { requireEvidenceTypes } from './readEvidence.ts';

interface ExportOptions extends TargetOptions {
  readonly format: keyof typeof FORMATS;
  readonly types?: readonly string[];
  readonly out?: string;
}

export function exportToFile(env: NodeJS.ProcessEnv, options: ExportOptions): Promise<void> {
  const { types: eventTypes, out } = options;
  if (eventTypes !== undefined) requireEvidenceTypes(eventTypes);
  if (out !== undefined) requireFolderOf(out);
  return withTarget(env, options, async (target) => {
    const chosen = { ...(await inputOf(target.client, 'exportEvidence', options)), ...compact({ eventTypes }) };
    const reader = new ExportReader(target.exportEvidence({ format: 'ndjson', ...chosen }));
    let events = 0;
    const lines = counted(reader.events(), () => {
      events += 1;
    });
    await write(render(lines, reader, FORMATS[options.format]), out);
    if (out !== undefined) {
      const { chainValid, checkpoint } = reader.end;
      const text = `${out} has ${events} ${events === 1 ? 'event' : 'events'}, as ${options.format}.`;
      print(options, { file: out, events, chainValid, checkpoint }, text);
    }
    if (reader.end.chainValid) return;
    console.error(
      'The chain does not hold over this range; "countersign evidence search" and GET /ap2/evidence/verify say more.',
    );
    process.exitCode = 1;
  });
}

/** Passes a thing on for each of those that come. */
async function* counted(lines: AsyncIterable<string>, onEach: () => void): AsyncGenerator<string> {
  for await (const line of lines) {
    onEach();
    yield line;
  }
}

interface Format {
  readonly begin: string;
  /** @param line the event's JSON @param index from 0 on */
  event(line: string, index: number): string;
  end(end: ExportEnd): string;
}

/** The forms that a node gives an export, so that a file is the same from the node and from here. */
const FORMATS = {
  json: {
    begin: '{"events":[',
    event: (line, index) => (index === 0 ? line : `,${line}`),
    end: (end) => `],${JSON.stringify(end).slice(1)}\n`,
  },
  ndjson: {
    begin: '',
    event: (line) => `${line}\n`,
    end: (end) => `${JSON.stringify({ end })}\n`,
  },
  csv: {
    begin: CSV_HEADER,
    event: (line) => csvLine(recordOf(JSON.parse(line) as EvidenceEvent)),
    end: () => '',
  },
} as const satisfies Record<string, Format>;

async function* render(lines: AsyncIterable<string>, reader: ExportReader, format: Format): AsyncGenerator<string> {
  let index = 0;
  for await (const line of lines) {
    // Nothing is written before the node has answered.
    yield (index === 0 ? format.begin : '') + format.event(line, index);
    index += 1;
  }
  yield (index === 0 ? format.begin : '') + format.end(reader.end);
}

async function write(texts: AsyncIterable<string>, file: string | undefined): Promise<void> {
  if (file !== undefined) return pipeline(Readable.from(texts), createWriteStream(file, { mode: 0o600 }));
  endWithReader();
  await pipeline(Readable.from(texts), process.stdout, { end: false });
}
