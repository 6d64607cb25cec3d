/** Everything that happened in one transaction, with the proof that the chain around it holds. */

import { z } from 'zod';
import { PortableBundle } from '../../../protocol/evidence/bundle.ts';
import type { EvidenceEvent } from '../../../protocol/evidence/chain.ts';
import { EvidenceBundle } from '../../../protocol/evidence/query.ts';
import { intentStatusAt } from '../../../protocol/intent.ts';
import { fromMinor } from '../../../protocol/money.ts';
import { Fault } from '../../../protocol/wire/fault.ts';
import { actsFor } from '../../access/caller.ts';
import { portableBundle } from '../../domain/bundles/portableBundle.ts';
import { showEvent } from '../../domain/evidence/showEvidence.ts';
import { walkChain } from '../../domain/evidence/walkChain.ts';
import { listTransaction } from '../../store/statements/evidence/events.ts';
import { findIntent } from '../../store/statements/purchases/intents.ts';
import { findPaymentOfTransaction } from '../../store/statements/purchases/payments.ts';
import type { Deps } from '../../usecase/deps.ts';
import { inSteps, useCase } from '../../usecase/useCase.ts';
import type { CosignerDeps } from '../../usecase/watch.ts';

const GetBundle = z.object({
  transactionId: z.string(),
  format: z
    .enum(['summary', 'portable'])
    .default('summary')
    .describe('portable: one signed file that can be checked without this node.'),
});

export const evidenceBundle = useCase({
  summary: 'Shows one transaction’s evidence, and whether the chain over it is valid.',
  input: GetBundle,
  output: z.union([EvidenceBundle, PortableBundle]),
  permission: 'read',
  showsOwn: true,
  faults: ['NOT_FOUND'],
  run: inSteps<z.output<typeof GetBundle>, EvidenceBundle | PortableBundle>(
    async (deps: CosignerDeps & Pick<Deps, 'data'>, caller, { transactionId, format }) => {
      const { tenantId } = caller;
      const found = await deps.store.read(function* (now) {
        const events = (yield* listTransaction(tenantId, transactionId)).map(showEvent);
        const payment = yield* findPaymentOfTransaction(tenantId, transactionId);
        const mandateId = events.find((event) => event.eventType === 'INTENT_ISSUED')?.data.mandateId;
        const intent = mandateId === undefined ? undefined : yield* findIntent(tenantId, String(mandateId));
        return { events, payment, intent, now };
      });
      const { events, payment, intent, now } = found;
      const first = events[0];
      if (first === undefined || !actsFor(caller, String(first.data.agentDid))) {
        throw new Fault('NOT_FOUND', `There is no transaction ${transactionId}.`);
      }
      if (format === 'portable') {
        const bundle = await portableBundle(deps, tenantId, transactionId);
        if (bundle === undefined) throw new Fault('NOT_FOUND', `There is no transaction ${transactionId}.`);
        return bundle;
      }
      const chainValid = await isChainValid(deps, tenantId, events);
      const merchant = payment?.merchant ?? intent?.merchant_domain ?? first.data.merchantDomain;
      const output: EvidenceBundle = {
        transactionId,
        events,
        chainValid,
        summary: {
          agent: String(first.data.agentDid),
          ...(typeof merchant === 'string' ? { merchant } : {}),
          amount:
            payment === undefined ? Number(first.data.maxAmount) : fromMinor(payment.amount_minor, payment.currency),
          currency: payment?.currency ?? String(first.data.currency),
          status:
            payment?.status ??
            (intent === undefined
              ? 'DENIED'
              : intentStatusAt({ status: intent.status, expiresAt: intent.expires_at }, now)),
        },
      };
      return output;
    },
  ),
});

/**
 * Of the events that others made between two of the transaction's, at most so many are verified as well. A payment may be
 * refunded a month and a million events after its intent; who wants all of those verified asks for that range.
 */
const MOST_BETWEEN = 500;

/** Whether the chain over the transaction's events is valid: each of them, its link, and what lies shortly between them. */
async function isChainValid(
  deps: Pick<Deps, 'data' | 'evidence' | 'issuer' | 'store' | 'suite'>,
  tenantId: string,
  events: readonly EvidenceEvent[],
): Promise<boolean> {
  const ranges: { readonly from: number; to: number }[] = [];
  for (const { seq } of events) {
    const range = ranges.at(-1);
    if (range !== undefined && seq - range.to - 1 <= MOST_BETWEEN) range.to = seq;
    else ranges.push({ from: seq, to: seq });
  }
  for (const { from, to } of ranges) {
    for await (const piece of walkChain(deps, tenantId, from, to)) if (piece.broken !== undefined) return false;
  }
  return true;
}
