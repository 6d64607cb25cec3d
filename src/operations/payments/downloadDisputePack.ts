/** What answers a payment's disputes, in one archive: a page to print, and the same for programs. */
import { strToU8, zipSync } from 'fflate';
import { z } from 'zod';
import { canonical } from '../../../protocol/credential/canonical.ts';
import { disputePage } from '../../../protocol/dispute/disputePage.ts';
import { loadDisputePack } from '../../domain/bundles/loadDisputePack.ts';
import { ByteStream } from '../../usecase/byteStream.ts';
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
  run: inSteps<z.output<typeof GetDisputePack>, ByteStream>(async (deps: CosignerDeps, caller, { mandateId }) => {
    const pack = await loadDisputePack(deps, caller, mandateId);
    const text = JSON.stringify(pack, null, 2);
    const files = {
      'pack.html': strToU8(disputePage(pack, deps.suite.sha256Hex(text))),
      'pack.json': strToU8(text),
      'bundle.json': strToU8(canonical(pack.bundle)),
    };
    return new ByteStream(ZIP, once(zipSync(files, { mtime: deps.clock() })), `dispute-${mandateId}.zip`);
  }),
});

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}
