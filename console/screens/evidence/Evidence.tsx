/** The evidence: verified in this browser, its checkpoints, files that are checked here, and its newest events. */

import { node } from '../../node/node.ts';
import { useLoaded } from '../../node/useLoaded.ts';
import { Head } from '../../parts/Head.tsx';
import { Shown } from '../../parts/Shown.tsx';
import type { ScreenProps } from '../../shell/screens.ts';
import { CheckFile } from './CheckFile.tsx';
import { Checkpoints } from './Checkpoints.tsx';
import { NewestEvents } from './NewestEvents.tsx';
import { useChainCheck, VerifyButton, VerifyHere } from './VerifyHere.tsx';

const PAGE = 20;

export function Evidence({ query }: ScreenProps) {
  const found = useLoaded('evidence', load, ['checkpoint']);
  const check = useChainCheck(query.get('verify') === 'now');
  return (
    <>
      <Head title="Evidence">
        <VerifyButton check={check} />
      </Head>
      <div class="split">
        <Shown of={found} rows={3} height={8}>
          {({ checkpoints, events }) => (
            <>
              <aside class="context whole stack">
                <VerifyHere check={check} total={events[0]?.seq ?? 0} />
                <Checkpoints checkpoints={checkpoints} />
                <CheckFile />
              </aside>
              <NewestEvents first={events} />
            </>
          )}
        </Shown>
      </div>
    </>
  );
}

async function load(signal: AbortSignal) {
  const [checkpoints, events] = await Promise.all([
    node.listCheckpoints({ limit: PAGE }, { signal }),
    node.searchEvidence({ limit: PAGE }, { signal }),
  ]);
  return { checkpoints: checkpoints.data, events: events.data };
}
