/** Why the person who looks cannot approve a purchase as things stand, with the button that mends it. */
import { type ComponentChildren, Fragment } from 'preact';
import type { Approval } from '../../../client/operations.ts';
import { login } from '../../login/login.ts';
import { may } from '../../login/may.ts';
import { node } from '../../node/node.ts';
import { Button } from '../../parts/Button.tsx';
import { Form } from '../../parts/form/Form.tsx';
import { EnrollButton } from '../../parts/holders/EnrollButton.tsx';
import { SheetButton } from '../../parts/SheetButton.tsx';
import { say } from '../../parts/toasts.ts';
import { AgentName } from '../../parts/values/AgentName.tsx';

interface WhatIsMissingProps {
  readonly approval: Approval;
  /** What people call the principal, where that is known. */
  readonly principal?: string | undefined;
  onDone(): void;
}

/** Whether other people can approve it who were told once so far. */
export function canRemind({ missing, approvers = [], remindsAt }: Approval): boolean {
  return remindsAt !== undefined && (missing === 'others' || approvers.length > 0);
}

type MissingReason = NonNullable<Approval['missing']>;

export function WhatIsMissing({ approval, principal, onDone }: WhatIsMissingProps) {
  const { missing, approvers = [] } = approval;
  if (missing === undefined) return null;
  if (missing === 'others') return <p class="note">{sentenceOf(missing, principal)}</p>;
  if (approvers.length > 0) return <OnlyOthers names={approvers} />;
  if (missing === 'role' || missing === 'notOwner') return <p class="note">{sentenceOf(missing, principal)}</p>;
  if (missing === 'ownPasskey') {
    return (
      <div class="note">
        <p>{sentenceOf(missing, principal)}</p>
        <Way href="#/settings">Add a passkey</Way>
      </div>
    );
  }
  return (
    <div class="note">
      <p>{sentenceOf(missing, principal)}</p>
      {may('admin') ? <Remedy missing={missing} approval={approval} onDone={onDone} /> : <p>An administrator can.</p>}
    </div>
  );
}

function OnlyOthers({ names }: { readonly names: readonly string[] }) {
  return (
    <p class="note">
      Only{' '}
      {names.map((name, index) => (
        <Fragment key={name}>
          {index > 0 && (index === names.length - 1 ? ' or ' : ', ')}
          <bdi>{name}</bdi>
        </Fragment>
      ))}{' '}
      can approve this.
    </p>
  );
}

function sentenceOf(missing: MissingReason, principal: string | undefined): ComponentChildren {
  const money = principal === undefined ? 'The person or company whose money it is' : <bdi>{principal}</bdi>;
  switch (missing) {
    case 'activeAgent':
      return 'This agent is not active: its purchases cannot be approved until it is reactivated.';
    case 'delegation':
      return (
        <>{money} has not allowed this agent to spend its money, so the purchase cannot be approved until it does.</>
      );
    case 'principalPasskey':
      return <>{money} has no passkey yet. Only its own passkeys approve what its money is spent on.</>;
    case 'agentPasskey':
      return 'No passkey is enrolled for this agent yet, and it has no owner whose passkeys would approve.';
    case 'principalUser':
      return <>{money} is another person of this node. Only their passkeys approve what their money is spent on.</>;
    case 'agentOwner':
      return 'Only the passkeys of the agent’s owner approve this, and that is another person.';
    case 'passkeyHolder':
      return 'Only the person who holds the enrolled passkey can approve this.';
    case 'role':
      return 'The policy asks people of another role to approve this.';
    case 'notOwner':
      return 'You own the agent, and the policy asks other people to approve this.';
    case 'ownPasskey':
      return 'Your approval counts once you have a passkey.';
    case 'others':
      return 'You have approved it. Others are still to approve.';
  }
}

function Remedy({ missing, approval, onDone }: Required<Pick<Approval, 'missing'>> & WhatIsMissingProps) {
  const { agentDid, principalDid } = approval;
  const agentPage = `#/agents/${encodeURIComponent(agentDid)}`;
  if (missing === 'activeAgent') return <Way href={agentPage}>Open the agent</Way>;
  if (missing === 'delegation') return <Delegate approval={approval} onDone={onDone} />;
  if (missing === 'principalPasskey' || missing === 'principalUser') {
    return (
      <div class="buttons">
        <EnrollButton holder={{ principalDid }} isFirst>
          Enroll a passkey…
        </EnrollButton>
        <Way href={`#/principals/${encodeURIComponent(principalDid)}`}>Open whose money it is</Way>
      </div>
    );
  }
  return (
    <div class="buttons">
      <EnrollButton holder={{ agentDid }} isFirst>
        Enroll a passkey for the agent…
      </EnrollButton>
      {missing === 'agentPasskey' && <BecomeOwner agentDid={agentDid} onDone={onDone} />}
    </div>
  );
}

function Way({ href, children }: { readonly href: string; readonly children: string }) {
  return (
    <a class="button second" href={href}>
      {children}
    </a>
  );
}

function Delegate({ approval: { agentDid, principalDid }, onDone }: Pick<WhatIsMissingProps, 'approval' | 'onDone'>) {
  const delegate = async () => {
    const { agents } = await node.getPrincipal({ did: principalDid });
    await node.changePrincipal({ did: principalDid, agents: [...new Set([...agents, agentDid])] });
    say('Allowed. The agent may spend this money.');
    onDone();
  };
  return (
    <div class="buttons">
      <SheetButton act="Allow this agent…" title="Allow this agent?">
        {(close) => (
          <Form act="Allow this agent" onSubmit={() => delegate().then(close)} onLeave={close}>
            <p>
              <AgentName did={agentDid} /> may spend this money from then on, for this purchase and later ones, as the
              policy says.
            </p>
          </Form>
        )}
      </SheetButton>
      <Way href={`#/principals/${encodeURIComponent(principalDid)}`}>Open whose money it is</Way>
    </div>
  );
}

function BecomeOwner({ agentDid, onDone }: { readonly agentDid: string; onDone(): void }) {
  const state = login.value;
  const own = state.at === 'in' ? state.me.userId : undefined;
  if (own === undefined) return null;
  const become = async () => {
    await node.changeAgent({ did: agentDid, ownerUserId: own });
    say('You are the owner now: your passkeys approve what the agent buys.');
    onDone();
  };
  return <Button onClick={become}>Become the owner</Button>;
}
