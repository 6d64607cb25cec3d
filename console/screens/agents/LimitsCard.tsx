/** What the limits that hold for an agent leave now, and the ways to give it some of its own. */
import { useState } from 'preact/hooks';
import type { Agent, LimitState } from '../../../client/operations.ts';
import { may } from '../../login/may.ts';
import { Button } from '../../parts/Button.tsx';
import { Card } from '../../parts/Card.tsx';
import { Empty } from '../../parts/Empty.tsx';
import { LimitList } from '../../parts/limits/LimitList.tsx';
import { limitsIn } from '../../parts/limits/limitStates.ts';
import { type ShownLimit, VELOCITY_LIMIT } from '../../parts/limits/measures.ts';
import { SetLimit } from './SetLimit.tsx';
import { SetOwnLimits } from './SetOwnLimits.tsx';

interface LimitsCardProps {
  readonly agent: Agent;
  readonly limits: readonly ShownLimit[];
  /** The same by maximum, and those that a principal's agents share. */
  readonly states: readonly LimitState[];
  onDone(): void;
}

export function LimitsCard({ agent, limits, states, onDone }: LimitsCardProps) {
  const [open, setOpen] = useState<'velocity' | 'own'>();
  const close = () => setOpen(undefined);
  const done = () => {
    close();
    onDone();
  };
  const { velocity, status } = agent;
  const present = limits.find(({ name, scope }) => name === VELOCITY_LIMIT && scope === 'agent');
  const canSet = may('admin') && status !== 'REVOKED';
  return (
    <Card title="Limits over time">
      {limits.length === 0 ? (
        <Empty title="No limit over time">
          <p>
            The policy’s limits for a single purchase apply. A limit over time applies to all purchases of a period
            together.
          </p>
        </Empty>
      ) : (
        <>
          <LimitList limits={limits} />
          <p class="quiet">An allowed purchase counts until it expires or its money is released.</p>
        </>
      )}
      {velocity?.limits?.length === 0 && (
        <p class="quiet">The policy’s limits for each agent do not apply: the agent’s own list of limits is empty.</p>
      )}
      <OfPrincipals states={states} />
      {canSet && open === undefined && (
        <div class="buttons">
          <Button onClick={() => setOpen('velocity')}>
            {velocity?.timeWindow === undefined ? 'Set a limit of its own…' : 'Change its limit…'}
          </Button>
          <Button onClick={() => setOpen('own')}>Further limits of its own…</Button>
        </div>
      )}
      {open === 'velocity' && (
        <SetLimit
          agent={agent}
          present={present}
          currency={limits.find(({ currency }) => currency !== undefined)?.currency}
          onClose={close}
          onDone={done}
        />
      )}
      {open === 'own' && <SetOwnLimits agent={agent} states={states} limits={limits} onClose={close} onDone={done} />}
    </Card>
  );
}

/** What is used of these depends on whose money it spends. */
function OfPrincipals({ states }: Pick<LimitsCardProps, 'states'>) {
  const names = limitsIn(states.filter(({ scope }) => scope === 'principal')).map(({ name }) => name);
  if (names.length === 0) return null;
  return (
    <p class="quiet">
      The agents that spend the same money also share: <bdi>{names.join(', ')}</bdi>.{' '}
      {may('admin') ? (
        <>
          What is left of {names.length === 1 ? 'it' : 'them'} is shown at{' '}
          <a class="inline-link" href="#/principals">
            Whose money
          </a>
          .
        </>
      ) : null}
    </p>
  );
}
