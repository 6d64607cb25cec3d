/** The first screen: what needs a person, what was spent, and what happened last. */
import { may } from '../../login/may.ts';
import { loadAttention } from '../../node/attention.ts';
import { node } from '../../node/node.ts';
import { useLoaded } from '../../node/useLoaded.ts';
import { Card } from '../../parts/Card.tsx';
import { Empty } from '../../parts/Empty.tsx';
import { Shown } from '../../parts/Shown.tsx';
import { TryPlayground } from '../../parts/TryPlayground.tsx';
import { Activity } from './Activity.tsx';
import { NeedsYou } from './NeedsYou.tsx';
import { Spend, useSpending } from './Spend.tsx';
import { sentencesOf } from './sentences.ts';

const NEWEST = 8;

export function Today() {
  // Together, since what comes later would move what is there.
  const found = useLoaded('today', load, ['approval', 'payment', 'pm', 'cart', 'agent', 'webhook']);
  const spent = useSpending();
  return (
    <>
      <h1>Today</h1>
      <Shown of={found} rows={6} height={5}>
        {({ attention, newest }) => (
          <div class="today">
            <div>
              <Card title="Needs you" aside={may('admin') && <a href="#/settings/health">Health</a>}>
                <NeedsYou attention={attention} />
              </Card>
              <Card title="Newest" aside={<a href="#/payments">All payments</a>}>
                {newest.length === 0 ? <NothingYet /> : <Activity sentences={newest} />}
              </Card>
            </div>
            <Spend {...spent} />
          </div>
        )}
      </Shown>
    </>
  );
}

async function load(signal: AbortSignal) {
  const [attention, payments, approvals] = await Promise.all([
    loadAttention(),
    node.listPayments({ limit: NEWEST }, { signal }),
    node.listApprovals({ limit: NEWEST }, { signal }),
  ]);
  // One that still waits stands above.
  const decided = approvals.data.filter(({ status }) => status !== 'pending');
  return { attention, newest: sentencesOf(payments.data, decided, NEWEST) };
}

function NothingYet() {
  return (
    <Empty title="No agent has bought anything yet">
      <p>
        {may('admin') && (
          <>
            First <a href="#/agents/new">add an agent</a>.{' '}
          </>
        )}
        What agents ask for, and what becomes of it, appears here by itself.
      </p>
      <TryPlayground />
    </Empty>
  );
}
