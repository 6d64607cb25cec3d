/** One agent: whether it may buy, what it bought, who may approve for it, and how to stop it at once. */
import type { Agent } from '../../../client/operations.ts';
import { node } from '../../node/node.ts';
import { useLoaded } from '../../node/useLoaded.ts';
import { Back } from '../../parts/Back.tsx';
import { Card } from '../../parts/Card.tsx';
import { Empty } from '../../parts/Empty.tsx';
import { Fact } from '../../parts/Fact.tsx';
import { PaymentRows } from '../../parts/PaymentRows.tsx';
import { Shown } from '../../parts/Shown.tsx';
import { Did } from '../../parts/values/Did.tsx';
import { Status } from '../../parts/values/Status.tsx';
import { When } from '../../parts/values/When.tsx';
import { hrefOf } from '../../shell/places.ts';
import type { ScreenProps } from '../../shell/screens.ts';
import { AgentPasskeys } from './AgentPasskeys.tsx';
import { AgentState } from './AgentState.tsx';
import { Snippets } from './Snippets.tsx';

const NEWEST = 6;
const MOST_PASSKEYS = 50;

export function OneAgent({ params }: ScreenProps) {
  const did = params['did'] ?? '';
  const found = useLoaded(`agent ${did}`, (signal) => load(did, signal), ['agent', 'payment', 'pm', 'hp']);
  return (
    <>
      <Back href="#/agents">Agents</Back>
      <Shown of={found} rows={3} height={9}>
        {({ agent, payments, passkeys }) => (
          <div class="stack narrow">
            <Head agent={agent} onDone={found.reload} />
            <Card title="Newest payments" aside={<Lists did={did} />}>
              {payments.length === 0 ? <NoPayments /> : <PaymentRows payments={payments} ofOneAgent />}
            </Card>
            <AgentPasskeys did={did} passkeys={passkeys} onDone={found.reload} />
            <Card title="Connect it">
              <Snippets agentDid={did} />
            </Card>
          </div>
        )}
      </Shown>
    </>
  );
}

function Lists({ did }: { readonly did: string }) {
  return (
    <span class="card-links">
      <a href={hrefOf('/decisions', { agent: did })}>Decisions</a>
      <a href={hrefOf('/payments', { agent: did })}>All of them</a>
    </span>
  );
}

/** Together, since what comes later would move what is there. */
async function load(did: string, signal: AbortSignal) {
  const [agent, payments, passkeys] = await Promise.all([
    node.getAgent({ did }, { signal }),
    node.listPayments({ agentDid: did, limit: NEWEST }, { signal }),
    node.listPasskeys({ agentDid: did, limit: MOST_PASSKEYS }, { signal }),
  ]);
  return { agent, payments: payments.data, passkeys: passkeys.data };
}

function Head({ agent, onDone }: { readonly agent: Agent; onDone(): void }) {
  const { did, displayName, description, status, createdAt, velocity, reason } = agent;
  return (
    <Card isMain title={<bdi>{displayName}</bdi>} aside={<Status state={status} />}>
      {description !== '' && (
        <p class="quiet">
          <bdi class="clamped">{description}</bdi>
        </p>
      )}
      {reason !== undefined && (
        <p class="note">
          <bdi class="clamped">{reason}</bdi>
        </p>
      )}
      <dl class="facts">
        <Fact name="DID">
          <Did did={did} />
        </Fact>
        <Fact name="Added">
          <When time={createdAt} />
        </Fact>
        <Fact name="Its own limit">{velocity === null ? 'None; the policy’s hold' : limitText(velocity)}</Fact>
      </dl>
      <AgentState agent={agent} onDone={onDone} />
    </Card>
  );
}

function limitText({ maxTransactions, maxAmount, timeWindow }: NonNullable<Agent['velocity']>): string {
  const limits = [
    maxTransactions === undefined ? undefined : `${maxTransactions} purchases`,
    maxAmount === undefined ? undefined : `an amount of ${maxAmount}`,
  ].filter((limit) => limit !== undefined);
  return `At most ${limits.join(' and ')} in ${timeWindow}`;
}

function NoPayments() {
  return (
    <Empty title="It has paid nothing yet">
      <p>What it needs to ask for its first purchase is below.</p>
    </Empty>
  );
}
