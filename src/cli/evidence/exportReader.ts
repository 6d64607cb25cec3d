/** Reads an evidence export in NDJSON line by line, so that one of any length takes little memory. */
import { ExportCut, ExportEnd } from '../../../protocol/evidence/query.ts';

export class ExportReader {
  readonly #pieces: AsyncIterable<string>;
  #end: ExportEnd | undefined;

  /** @param pieces of the export's text, cut anywhere */
  constructor(pieces: AsyncIterable<string>) {
    this.#pieces = pieces;
  }

  /** The JSON of each event. @throws Error for an export without its last line, or with lines behind it */
  async *events(): AsyncGenerator<string> {
    for await (const line of linesOf(this.#pieces)) {
      if (this.#end !== undefined) throw new Error('The export goes on after its last line.');
      if (line.startsWith('{"cut":')) throw new Error(cutIn(line));
      if (line.startsWith('{"end":')) this.#end = endIn(line);
      else yield line;
    }
    if (this.#end === undefined) throw new Error('The export is cut short: its last line is missing.');
  }

  /** Whether the chain holds, and what was exported; known once every event was read. */
  get end(): ExportEnd {
    if (this.#end === undefined) throw new Error('The export was not read to its end.');
    return this.#end;
  }
}

function endIn(line: string): ExportEnd {
  const parsed = ExportEnd.safeParse(JSON.parse(line).end);
  if (parsed.success) return parsed.data;
  throw new Error('The last line of the export is malformed.');
}

function cutIn(line: string): string {
  const parsed = ExportCut.safeParse(JSON.parse(line).cut);
  return parsed.success
    ? `The export was cut by the node: ${parsed.data.message}`
    : 'The last line of the export is malformed.';
}

async function* linesOf(pieces: AsyncIterable<string>): AsyncGenerator<string> {
  let rest = '';
  for await (const piece of pieces) {
    const lines = (rest + piece).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) if (line !== '') yield line;
  }
  if (rest !== '') yield rest;
}
