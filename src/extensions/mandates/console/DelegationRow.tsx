/** One mandate that an agent buys by: what it allows, what was bought by it, and its end. */
import type { Delegation, Principal } from '../../../../client/operations.ts';
import { may } from '../../../../console/login/may.ts';
import { nameOf } from '../../../../console/node/agentNames.ts';
import { node } from '../../../../console/node/node.ts';
import { HolderName } from '../../../../console/parts/holders/HolderName.tsx';
import { RiskyButton } from '../../../../console/parts/RiskyButton.tsx';
import { say } from '../../../../console/parts/toasts.ts';
import { AgentName } from '../../../../console/parts/values/AgentName.tsx';
import { Status } from '../../../../console/parts/values/Status.tsx';
import { When } from '../../../../console/parts/values/When.tsx';
import { limitText, usedText } from './limitText.ts';
import { NoPassage } from './NoPassage.tsx';

interface DelegationRowProps {
  readonly delegation: Delegation;
  /** Whose money it is, where that is known. */
  readonly principal: Principal | undefined;
  onDone(): void;
}

export function DelegationRow({ delegation, principal, onDone }: DelegationRowProps) {
  const { id, agentDid, principalDid, limits, status, delegated, createdAt } = delegation;
  const isBarred = status === 'ACTIVE' && !delegated;
  const isEnded = status === 'EXPIRED' || status === 'REVOKED';
  const revoke = async () => {
    await node.revokeDelegation({ id });
    say('Revoked. Nothing more is bought by it.');
    onDone();
  };
  return (
    <li class="row acting">
      <div class="row-main">
        <span>
          <a class="inline-link" href={`#/agents/${encodeURIComponent(agentDid)}`}>
            <AgentName did={agentDid} />
          </a>
          {principalDid !== agentDid && (
            <>
              {' '}
              with the money of <HolderName of={{ principalDid }} principal={principal?.name} />
            </>
          )}
        </span>
        {/* Never cut: what is not read is not known. */}
        <div>{limitText(limits)}</div>
        {isBarred && <NoPassage did={principalDid} name={principal?.name} />}
        <span class="quiet">
          {usedText(delegation)} · kept <When time={createdAt} inLink />
        </span>
      </div>
      <Status state={isBarred ? 'barred' : status} />
      {may('write') && !isEnded && (
        <RiskyButton act="Revoke" of={`the mandate of ${nameOf(agentDid)}`} onConfirm={revoke}>
          Its purchases that are under way end, and nothing more is bought by it. What is paid stays paid. This cannot
          be undone.
        </RiskyButton>
      )}
    </li>
  );
}
