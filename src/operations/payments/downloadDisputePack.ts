/** What answers a payment's disputes, in one archive: a page to print, and the same for programs. */
import { strToU8, zipSync } from 'fflate';
import { z } from 'zod';
import { canonical } from '../../../protocol/credential/canonical.ts';
import { disputePack } from '../../../protocol/dispute/disputePack.ts';
import { disputePage } from '../../../protocol/dispute/disputePage.ts';
import { Fault } from '../../../protocol/wire/fault.ts';
import { isoTime } from '../../../protocol/wire/time.ts';
import { portableBundle } from '../../domain/bundles/portableBundle.ts';
import { loadPayment } from '../../domain/payments/loadPayment.ts';
import { showPaymentRecord } from '../../domain/payments/showPayment.ts';
import { disputesOf } from '../../store/statements/purchases/disputes.ts';
import { findHttpPayment } from '../../store/statements/purchases/httpPayments.ts';
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
    async (deps: CosignerDeps & Pick<Deps, 'suite'>, caller, { mandateId }) => {
      const { payment, told } = await deps.store.read(function* () {
        const row = yield* loadPayment(caller, mandateId);
        const disputes = yield* disputesOf([row]);
        if (disputes.length === 0) throw new Fault('CONFLICT', `The payment ${mandateId} has no dispute.`);
        const { receipt = null } = (yield* findHttpPayment(row.tenant_id, mandateId)) ?? {};
        return { payment: showPaymentRecord({ ...row, disputes }), told: receipt ?? undefined };
      });
      const bundle = await portableBundle(deps, caller.tenantId, payment.transactionId);
      if (bundle === undefined) throw new Error(`payment ${mandateId} has no evidence`);
      const now = deps.clock();
      const pack = disputePack(payment, bundle, { told, madeAt: isoTime(now) });
      const text = JSON.stringify(pack, null, 2);
      const files = {
        'pack.html': strToU8(disputePage(pack, deps.suite.sha256Hex(text))),
        'pack.json': strToU8(text),
        'bundle.json': strToU8(canonical(bundle)),
      };
      return new ByteStream(ZIP, once(zipSync(files, { mtime: now })), `dispute-${mandateId}.zip`);
    },
  ),
});

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}
