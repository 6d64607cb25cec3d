/** What answers a payment's disputes, in one archive: a page to print, and the same for programs. */
import { strToU8, Zip, ZipDeflate } from 'fflate';
import { z } from 'zod';
import { canonical } from '../../../protocol/credential/canonical.ts';
import { disputePage } from '../../../protocol/dispute/disputePage.ts';
import { loadDisputePack } from '../../domain/bundles/loadDisputePack.ts';
import { ByteStream } from '../../usecase/byteStream.ts';
import type { Deps } from '../../usecase/deps.ts';
import { inSteps, useCase } from '../../usecase/useCase.ts';
import type { CosignerDeps } from '../../usecase/watch.ts';

const GetDisputePack = z.object({ mandateId: z.string() });

const ZIP = 'application/zip';

export const downloadDisputePack = useCase({
  summary:
    'Downloads what answers the disputes of a payment: a zip archive with a page to print, and the same for programs.',
  input: GetDisputePack,
  output: z.string(),
  media: [ZIP],
  endless: true,
  permission: 'read',
  showsOwn: true,
  faults: ['NOT_FOUND', 'CONFLICT'],
  run: inSteps<z.output<typeof GetDisputePack>, ByteStream>(
    async (deps: CosignerDeps & Pick<Deps, 'data'>, caller, { mandateId }) => {
      const pack = await loadDisputePack(deps, caller, mandateId);
      const text = JSON.stringify(pack, null, 2);
      const files = {
        'pack.html': strToU8(disputePage(pack, deps.suite.sha256Hex(text))),
        'pack.json': strToU8(text),
        'bundle.json': strToU8(canonical(pack.bundle)),
      };
      return new ByteStream(ZIP, zipped(deps, files, deps.clock()), `dispute-${mandateId}.zip`);
    },
  ),
});

/** Bytes of a file that are packed without a pause: of a payment with thousands of events a pack takes seconds, and others ask meanwhile. */
const BYTES_AT_ONCE = 262_144;

/** @param mtime milliseconds since the epoch */
async function* zipped(
  { data }: Pick<Deps, 'data'>,
  files: Readonly<Record<string, Uint8Array>>,
  mtime: number,
): AsyncGenerator<Uint8Array> {
  let made: Uint8Array[] = [];
  const zip = new Zip((error, bytes) => {
    if (error !== null) throw error;
    made.push(bytes);
  });
  for (const [name, content] of Object.entries(files)) {
    const file = new ZipDeflate(name);
    file.mtime = mtime;
    zip.add(file);
    for (let from = 0; from < content.length; from += BYTES_AT_ONCE) {
      const to = from + BYTES_AT_ONCE;
      await data.longWork.piece(() => file.push(content.subarray(from, to), to >= content.length));
      const pieces = made;
      made = [];
      yield* pieces;
    }
  }
  zip.end();
  yield* made;
}
