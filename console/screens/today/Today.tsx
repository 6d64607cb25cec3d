/** The first screen: what needs a person, what was spent, and what happened last. */

import { may } from '../../login/may.ts';
import { loadAttention } from '../../node/attention.ts';
import { node } from '../../node/node.ts';
import { useLoaded } from '../../node/useLoaded.ts';
import { Card } from '../../parts/Card.tsx';
import { Head } from '../../parts/Head.tsx';
import { Shown } from '../../parts/Shown.tsx';
import { Activity } from './Activity.tsx';
import { FirstSteps, loadStepsDone, StepsLeft } from './FirstSteps.tsx';
import { NeedsYou } from './NeedsYou.tsx';
import { Refusals, refusalsAsked } from './Refusals.tsx';
import { Figures, Spend, useSpending } from './Spend.tsx';
import { sentencesOf } from './sentences.ts';

const NEWEST = 8;

export function Today() {
  // Together, since what comes later would move what is there.
  const found = useLoaded('today', load, ['approval', 'payment', 'pm', 'intent', 'cart', 'agent', 'policy', 'webhook']);
  const { today, spending } = useSpending();
  return (
    <>
      <Head title="Today" />
      <Shown of={found} rows={6} height={5}>
        {({ attention, pending, newest, refused, done }) => (
          <div class="today">
            {newest.length === 0 ? (
              <FirstSteps done={done} />
            ) : (
              <Shown of={spending} rows={1} height={6}>
                {(spent) => <Figures spending={spent} today={today} />}
              </Shown>
            )}
            <div>
              <Card title="Needs you" aside={may('admin') && <a href="#/settings/health">Health</a>}>
                <NeedsYou attention={attention} pending={pending} onDecided={found.reload} />
                <Refusals of={refused} />
              </Card>
              {newest.length > 0 && <StepsLeft done={done} />}
              {newest.length > 0 && (
                <Card title="Newest" aside={<a href="#/payments">All payments</a>}>
                  <Activity sentences={newest} />
                </Card>
              )}
            </div>
            {newest.length > 0 && (
              <Shown of={spending} rows={1} height={24}>
                {(spent) => <Spend spending={spent} today={today} />}
              </Shown>
            )}
          </div>
        )}
      </Shown>
    </>
  );
}

async function load(signal: AbortSignal) {
  const [attention, payments, approvals, refused, done] = await Promise.all([
    loadAttention(),
    node.listPayments({ limit: NEWEST }, { signal }),
    node.listApprovals({ limit: NEWEST }, { signal }),
    node.listDecisions(refusalsAsked(), { signal }),
    loadStepsDone(signal),
  ]);
  // Each purchase is told once: what needs a person above, what was paid in place of what was approved.
  const above = new Set(attention.items.map(({ mandateId }) => mandateId));
  const paid = new Set(payments.data.map(({ transactionId }) => transactionId));
  const settled = payments.data.filter(({ mandateId }) => !above.has(mandateId));
  const decided = approvals.data.filter(
    ({ status, transactionId }) => status !== 'pending' && !paid.has(transactionId),
  );
  const pending = new Map(approvals.data.map((approval) => [approval.id, approval]));
  return { attention, pending, newest: sentencesOf(settled, decided, NEWEST), refused, done };
}
