/** What the limits of an agent leave now, and the way to give it one of its own. */
import { useState } from 'preact/hooks';
import type { Agent } from '../../../client/operations.ts';
import { may } from '../../login/may.ts';
import { Button } from '../../parts/Button.tsx';
import { Card } from '../../parts/Card.tsx';
import { Empty } from '../../parts/Empty.tsx';
import { LimitBar } from '../../parts/limits/LimitBar.tsx';
import { type LimitUse, measuresOf } from '../../parts/limits/measures.ts';
import { SetLimit } from './SetLimit.tsx';

interface LimitsCardProps {
  readonly agent: Agent;
  readonly limits: readonly LimitUse[];
  onDone(): void;
}

export function LimitsCard({ agent, limits, onDone }: LimitsCardProps) {
  const [isSetting, setSetting] = useState(false);
  const own = limits.find(({ scope }) => scope === 'agent');
  const measures = measuresOf(limits);
  const canSet = may('admin') && agent.status !== 'REVOKED';
  return (
    <Card title="Limits in time">
      {measures.length === 0 ? (
        <Empty title="Nothing limits it in time">
          <p>The policy’s limits of a single purchase hold. A limit in time holds for all of its purchases together.</p>
        </Empty>
      ) : (
        <>
          <div class="limits">
            {measures.map((measured) => (
              <LimitBar key={measured.text} measured={measured} />
            ))}
          </div>
          <p class="quiet">
            {agent.velocity === null ? 'Set by the policy.' : 'Its own limit, in place of the policy’s for each agent.'}{' '}
            It counts what was allowed, until it expires or is given back.
          </p>
        </>
      )}
      {canSet && !isSetting && (
        <div class="buttons">
          <Button onClick={() => setSetting(true)}>
            {agent.velocity === null ? 'Give it a limit of its own…' : 'Change its limit…'}
          </Button>
        </div>
      )}
      {isSetting && (
        <SetLimit
          agent={agent}
          present={own}
          currency={limits.find(({ currency }) => currency !== undefined)?.currency}
          onClose={() => setSetting(false)}
          onDone={() => {
            setSetting(false);
            onDone();
          }}
        />
      )}
    </Card>
  );
}
