/** `countersign evidence export`: events, oldest first, to a file or standard output as they come. */
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { finished } from 'node:stream/promises';
import { requireFolderOf } from '../input/files.ts';
import { given } from '../input/given.ts';
import { endWithReader } from '../output/print.ts';
import type { TargetOptions } from '../target/targetOptions.ts';
import { withTarget } from '../target/withTarget.ts';
import { requireEvidenceTypes } from './readEvidence.ts';

interface ExportOptions extends TargetOptions {
  readonly format: 'json' | 'csv';
  readonly last?: number;
  readonly from?: string;
  readonly to?: string;
  readonly types?: readonly string[];
  readonly actor?: string;
  readonly out?: string;
}

/** How an export ends, where the node says whether the chain holds over it. */
const VERDICT = /"chainValid":(true|false),"fromSeq":\d+,"toSeq":\d+,"issuer":"[^"]*","tenantId":"[^"]*"\}$/;
const VERDICT_LENGTH = 1000;

export function exportToFile(env: NodeJS.ProcessEnv, options: ExportOptions): Promise<void> {
  const { last, from, to, types: eventTypes, actor: actorDid, out } = options;
  const format = options.json === true ? 'json' : options.format;
  if (eventTypes !== undefined) requireEvidenceTypes(eventTypes);
  if (out !== undefined) requireFolderOf(out);
  return withTarget(env, options, async (target) => {
    const end = await write(target.exportEvidence({ format, ...given({ last, from, to, eventTypes, actorDid }) }), out);
    if (format === 'csv') return;
    const verdict = VERDICT.exec(end)?.[1];
    if (verdict === undefined) throw new Error('The export is cut short.');
    if (verdict === 'true') return;
    console.error(
      'The chain does not hold over this range; "countersign evidence search" and GET /ap2/evidence/verify say more.',
    );
    process.exitCode = 1;
  });
}

/** @returns the last characters */
async function write(pieces: AsyncIterable<string>, file: string | undefined): Promise<string> {
  const stream = file === undefined ? process.stdout : createWriteStream(file, { mode: 0o600 });
  endWithReader();
  let end = '';
  for await (const piece of pieces) {
    end = (end + piece).slice(-VERDICT_LENGTH);
    if (!stream.write(piece)) await once(stream, 'drain');
  }
  if (file === undefined) {
    if (!end.endsWith('\n')) stream.write('\n');
  } else {
    stream.end();
    await finished(stream);
  }
  return end;
}
