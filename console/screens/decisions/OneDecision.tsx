/** The judgements of one transaction: what was asked, what every rule said, and what would have passed. */

import type { Operations, Policy } from '../../../client/operations.ts';
import { may } from '../../login/may.ts';
import { node } from '../../node/node.ts';
import { useLoaded } from '../../node/useLoaded.ts';
import { Card } from '../../parts/Card.tsx';
import { Fact } from '../../parts/Fact.tsx';
import { Head } from '../../parts/Head.tsx';
import { usePrincipals } from '../../parts/holders/usePrincipals.ts';
import { WhoseMoney } from '../../parts/holders/WhoseMoney.tsx';
import { VELOCITY_LIMIT } from '../../parts/limits/measures.ts';
import { PassedLimits } from '../../parts/rules/PassedLimits.tsx';
import { type RuleOrigin, RuleRows } from '../../parts/rules/RuleRows.tsx';
import { WhatPasses } from '../../parts/rules/WhatPasses.tsx';
import { Shown } from '../../parts/Shown.tsx';
import { Technical } from '../../parts/Technical.tsx';
import { messageOf } from '../../parts/table/groupDecisions.ts';
import { AgentName } from '../../parts/values/AgentName.tsx';
import { Domain } from '../../parts/values/Domain.tsx';
import { Money } from '../../parts/values/Money.tsx';
import { dateText, exactText } from '../../parts/values/moment.ts';
import { Status } from '../../parts/values/Status.tsx';
import { hrefOf } from '../../shell/places.ts';
import type { ScreenProps } from '../../shell/screens.ts';

type DecisionsOfPurchase = Operations['getDecisions']['output'];
type Decision = DecisionsOfPurchase['decisions'][number];

export function OneDecision({ params }: ScreenProps) {
  const transactionId = params['id'] ?? '';
  const found = useLoaded(`decision ${transactionId}`, (signal) => load(transactionId, signal), [
    'intent',
    'cart',
    'pm',
  ]);
  return (
    <>
      <Head back={{ href: '#/decisions', name: 'Decisions' }} />
      <div class="split">
        <Shown of={found} rows={2} height={14}>
          {({ decisions, mandateId, versions }) => {
            // The newest judgement is what people come for.
            const [newest, ...before] = [...decisions].reverse();
            if (newest === undefined) return null;
            return (
              <>
                <Judgement key={newest.seq} decision={newest} versions={versions} isMain />
                <div class="stack">
                  {before.map((decision) => (
                    <Judgement key={decision.seq} decision={decision} versions={versions} isMain={false} />
                  ))}
                </div>
                <aside class="context">
                  <Context decision={newest} mandateId={mandateId} />
                </aside>
              </>
            );
          }}
        </Shown>
      </div>
    </>
  );
}

/** Of the newest versions of policies the names are told. */
const NEWEST = 20;

async function load(transactionId: string, signal: AbortSignal) {
  const [found, policies] = await Promise.all([
    node.getDecisions({ transactionId }, { signal }),
    // Without them a version is told by its number.
    node.listPolicies({ limit: NEWEST }, { signal }).catch(() => undefined),
  ]);
  return { ...found, versions: policies?.data ?? [] };
}

const ASKED: Readonly<Record<Decision['kind'], string>> = {
  intent: 'asked to spend',
  cart: 'sent a cart of',
  payment: 'went to pay',
};

interface FactsProps {
  readonly decision: Decision;
  readonly versions: readonly Policy[];
}

interface JudgementProps extends FactsProps {
  readonly isMain: boolean;
}

function Judgement({ decision, versions, isMain }: JudgementProps) {
  const { kind, outcome, agentDid, merchant, amount, currency, ruleTable, counterfactual, complete } = decision;
  const Sub = isMain ? 'h2' : 'h3';
  return (
    <Card
      isMain={isMain}
      title={
        <>
          <AgentName did={agentDid} /> {ASKED[kind]} <Money amount={amount} currency={currency} />
          {merchant !== undefined && (
            <>
              {' '}
              at <Domain name={merchant} />
            </>
          )}
        </>
      }
      aside={<Status state={outcome} />}
    >
      <Answer decision={decision} />
      <PassedLimits of={decision.limits} />
      {counterfactual !== undefined && (
        <WhatPasses of={counterfactual} reasons={decision.reasonCodes} rules={ruleTable} />
      )}
      {!complete && (
        <p class="note">
          The history of earlier purchases is too long to be read in full. Figures of limits over time may be too low.
        </p>
      )}
      <Sub class="sub">What the rules of the policy said</Sub>
      {ruleTable.length === 0 ? (
        <p class="quiet">No rule was evaluated: the request was refused before that.</p>
      ) : (
        <RuleRows rules={ruleTable} originOf={may('admin') ? (rule) => originHref(decision, rule) : undefined} />
      )}
      <Facts decision={decision} versions={versions} />
    </Card>
  );
}

/** To the agent whose own limit it is, or to the draft of the policy, with this request beside it to be tried. */
function originHref(decision: Decision, { row, path }: RuleOrigin): string {
  const { agentDid, amount, currency, merchant, limits = [] } = decision;
  // The velocity limit and the others refuse by the same codes; which of them a row is about, its figures say.
  const measure = row.rule === 'VELOCITY_EXCEEDED' ? 'purchases' : 'amount';
  const limit = path.startsWith('risk.') && limits.find((each) => each.measure === measure && each.limit === row.limit);
  if (limit && limit.own === true) return agentHref(agentDid);
  const rule = limit && limit.name !== VELOCITY_LIMIT ? 'risk.limits' : path;
  return hrefOf('/policy/draft', { rule, agent: agentDid, amount: String(amount), currency, merchant });
}

const agentHref = (did: string) => hrefOf(`/agents/${encodeURIComponent(did)}`);

/** Where what refused lives, of what is beside the policy. */
function Origin({
  code,
  decision: { agentDid, principalDid },
}: {
  readonly code: string;
  readonly decision: Decision;
}) {
  if (/^(MANDATE|CONSTRAINT|CHECKOUT)_/.test(code)) {
    return <span class="quiet">The signed mandate limits this; only another mandate changes it.</span>;
  }
  if (code === 'AGENT_NOT_DELEGATED') {
    if (!may('admin')) return null;
    return <Way href={hrefOf(`/principals/${encodeURIComponent(principalDid)}`)}>Open whose money it is</Way>;
  }
  return /^AGENT_/.test(code) ? <Way href={agentHref(agentDid)}>Open the agent</Way> : null;
}

function Way({ href, children }: { readonly href: string; readonly children: string }) {
  return (
    <a class="inline-link" href={href}>
      {children}
    </a>
  );
}

function Answer({ decision }: { readonly decision: Decision }) {
  const { kind, outcome, hpRequired, reasonCodes, details } = decision;
  if (outcome === 'allowed') {
    return (
      <p class="answer">
        {hpRequired === true
          ? 'It was allowed; a person has to confirm the cart.'
          : kind === 'intent'
            ? 'It was allowed.'
            : 'The cart was accepted.'}
      </p>
    );
  }
  const sentences = reasonCodes.map((code) => ({ code, message: messageOf(code, details) }));
  const intro = outcome === 'approval' ? 'A person has to approve it:' : 'It was refused:';
  return (
    <div class="answer">
      <p>{intro}</p>
      <ul class="causes">
        {sentences.map(({ code, message }) => (
          <li key={code}>
            <bdi>{code === 'AGENT_NOT_DELEGATED' ? <NotAllowed did={decision.principalDid} /> : message}</bdi>{' '}
            <Origin code={code} decision={decision} />
          </li>
        ))}
      </ul>
    </div>
  );
}

/** By name for who may know whose money it is. */
function NotAllowed({ did }: { readonly did: string }) {
  const { nameOf } = usePrincipals();
  return <>{nameOf(did) ?? 'The person or company whose money it is'} has not allowed this agent to spend it.</>;
}

function Facts({ decision: { createdAt, policy }, versions }: FactsProps) {
  return (
    <dl class="facts">
      <Fact name="When">
        <time dateTime={createdAt} title={exactText(createdAt)}>
          {dateText(createdAt)}
        </time>
      </Fact>
      {policy !== undefined && (
        <Fact name="Judged by">
          <JudgedBy policy={policy} versions={versions} />
        </Fact>
      )}
    </dl>
  );
}

interface JudgedByProps extends Pick<FactsProps, 'versions'> {
  readonly policy: NonNullable<Decision['policy']>;
}

function JudgedBy({ policy: { policyId, policyVersion }, versions }: JudgedByProps) {
  const name = versions.find(({ id, version }) => id === policyId && version === policyVersion)?.name ?? 'The policy';
  return (
    <a class="inline-link" href={hrefOf(`/policy/versions/${policyId}/${policyVersion}`)}>
      <bdi>{name}</bdi>, version {policyVersion}
    </a>
  );
}

interface ContextProps {
  readonly decision: Decision;
  readonly mandateId: string | undefined;
}

/** What holds for the whole transaction is said once. */
function Context({ decision: { agentDid, principalDid, transactionId, reasonCodes }, mandateId }: ContextProps) {
  return (
    <Card title="Belongs to">
      <dl class="facts">
        <Fact name="Agent">
          <a class="inline-link" href={hrefOf(`/agents/${encodeURIComponent(agentDid)}`)}>
            <AgentName did={agentDid} />
          </a>
        </Fact>
        <WhoseMoney did={principalDid} />
        {mandateId !== undefined && (
          <Fact name="Payment">
            <a class="inline-link" href={hrefOf(`/payments/${mandateId}`)}>
              Open the payment
            </a>
          </Fact>
        )}
      </dl>
      <Technical
        ids={{ Transaction: transactionId, ...(reasonCodes.length > 0 && { Reasons: reasonCodes.join(', ') }) }}
      />
    </Card>
  );
}
