/** `countersign evidence export`: events, oldest first, to a file or standard output as they come. */
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { finished } from 'node:stream/promises';
import { type Command, Option } from 'commander';
import { endWithReader } from '../output/pipe.ts';
import { type TargetOptions, targetOptions } from '../target/targetOptions.ts';
import { withTarget } from '../target/withTarget.ts';

interface ExportOptions extends TargetOptions {
  readonly format: string;
  readonly last?: string;
  readonly from?: string;
  readonly to?: string;
  readonly types?: string;
  readonly actor?: string;
  readonly out?: string;
}

/** How an export ends, where the node says whether the chain holds over it. */
const VERDICT = /"chainValid":(true|false),"fromSeq":\d+,"toSeq":\d+,"issuer":"[^"]*","tenantId":"[^"]*"\}$/;
const VERDICT_LENGTH = 1000;

export function addExport(evidence: Command, env: NodeJS.ProcessEnv): void {
  targetOptions(evidence.command('export'), 'read')
    .description('Export events, oldest first; exit code 1 where the chain does not hold over a JSON export.')
    .addOption(new Option('--format <format>', 'json, or csv').choices(['json', 'csv']).default('json'))
    .option('--last <count>', 'only so many of the newest')
    .option('--from <moment>', 'from this moment on (ISO 8601)')
    .option('--to <moment>', 'up to this moment')
    .option('--types <list>', 'only these event types, comma-separated')
    .option('--actor <did>', 'only what this one did')
    .option('--out <file>', 'into a file')
    .action((options: ExportOptions) => {
      const { format, last, from, to, types: eventTypes, actor: actorDid } = options;
      const asked = { format: options.json === true ? 'json' : format, last, from, to, eventTypes, actorDid };
      const given = Object.entries(asked).filter((entry): entry is [string, string] => entry[1] !== undefined);
      return withTarget(env, options, async (target) => {
        const end = await write(target.exportEvidence(Object.fromEntries(given)), options.out);
        if (asked.format === 'csv') return;
        const verdict = VERDICT.exec(end)?.[1];
        if (verdict === undefined) throw new Error('The export is cut short.');
        if (verdict === 'true') return;
        console.error(
          'The chain does not hold over this range; "countersign evidence search" and GET /ap2/evidence/verify say more.',
        );
        process.exitCode = 1;
      });
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
