/** What to do before anything has happened: each step with whether it is done, and the button that does it. */
import { useState } from 'preact/hooks';
import { isOwner, may } from '../../login/may.ts';
import { IS_SANDBOX, runsWith } from '../../node/here.ts';
import { node } from '../../node/node.ts';
import { hasNotifications } from '../../notifications/preferences.ts';
import { Card } from '../../parts/Card.tsx';
import { Empty } from '../../parts/Empty.tsx';

interface Step {
  readonly name: string;
  readonly about: string;
  readonly isDone: boolean;
  readonly act: string;
  readonly href: string;
}

export function FirstSteps({ done }: { readonly done: StepsDone | undefined }) {
  if (done !== undefined) return <Steps done={done} hasBought={false} />;
  return (
    <Card>
      <Empty title="No agent has bought anything yet">
        <p>Requests and payments of your agents appear here.</p>
      </Empty>
    </Card>
  );
}

/** What is left to do once an agent has bought something; nothing where all is done, or the owner dismissed it. */
export function StepsLeft({ done }: { readonly done: StepsDone | undefined }) {
  return done === undefined || wasDismissed() ? null : <Steps done={done} hasBought />;
}

/** How many events are looked at for one that a person caused: a seed's own stand beside few others. */
const MOST_LOOKED_AT = 50;

/** Whether a user, or a key of one, has caused an event: what the first start and a seed made is no step of the owner's. */
async function hasCaused(eventTypes: readonly string[], signal: AbortSignal): Promise<boolean> {
  const pages = await Promise.all(
    eventTypes.map((eventType) => node.searchEvidence({ eventType, limit: MOST_LOOKED_AT }, { signal })),
  );
  return pages.some(({ data }) =>
    data.some((event) => ['user', 'key'].includes((event.data as { by?: { kind?: string } }).by?.kind ?? '')),
  );
}

/** Loaded with the rest of the screen, since what comes later would move what is there; undefined for who does none of the steps. */
export async function loadStepsDone(signal: AbortSignal): Promise<StepsDone | undefined> {
  if (!may('admin') || wasDismissed()) return undefined;
  const [agent, policy] = await Promise.all([
    hasCaused(['AGENT_CREATED'], signal),
    hasCaused(['POLICY_CREATED', 'POLICY_UPDATED'], signal),
  ]);
  return { agent, policy };
}

interface StepsDone {
  readonly agent: boolean;
  readonly policy: boolean;
}

function Steps({ done, hasBought }: { readonly done: StepsDone; readonly hasBought: boolean }) {
  const [isDismissed, dismiss] = useState(false);
  const steps = stepsOf(done, hasBought);
  if (isDismissed || steps.every(({ isDone }) => isDone)) return null;
  return (
    <Card title="First steps" aside={hasBought && <DismissButton onDismiss={() => dismiss(true)} />}>
      <ol class="rows steps">
        {steps.map((step) => (
          <OneStep key={step.name} step={step} />
        ))}
      </ol>
    </Card>
  );
}

const DISMISSED = 'countersign.firstSteps';

function wasDismissed(): boolean {
  try {
    return localStorage.getItem(DISMISSED) !== null;
  } catch {
    return false;
  }
}

function DismissButton({ onDismiss }: { readonly onDismiss: () => void }) {
  const dismiss = () => {
    try {
      localStorage.setItem(DISMISSED, 'dismissed');
    } catch {
      // They are shown again the next time.
    }
    onDismiss();
  };
  return (
    <button type="button" class="button plain" onClick={dismiss}>
      Dismiss
    </button>
  );
}

function stepsOf({ agent, policy }: StepsDone, hasBought: boolean): readonly Step[] {
  const purchase = IS_SANDBOX
    ? { about: 'Play one in the sandbox: no money moves.', act: 'Open the playground', href: '#/build/playground' }
    : { about: 'Connect the agent, and have it ask for something.', act: 'See how to connect', href: '#/build' };
  return [
    {
      name: 'Become the owner',
      about: 'Your passkey signs you in and approves purchases.',
      isDone: isOwner(),
      act: 'Add a passkey',
      href: '#/settings',
    },
    {
      name: 'Add an agent',
      about: 'It gets a key of its own, and buys nothing that the policy does not allow.',
      isDone: agent,
      act: 'Add an agent',
      href: '#/agents/new',
    },
    {
      name: 'Write the policy',
      about: 'How much, where, how often, and when you are asked.',
      isDone: policy,
      act: 'Write the policy',
      href: '#/policy/draft',
    },
    { name: 'See a first purchase', isDone: hasBought, ...purchase },
    ...(runsWith('notices')
      ? [
          {
            name: 'Get notified of pending purchases',
            about: 'Notifications in this browser or on your phone.',
            isDone: hasNotifications(),
            act: 'Turn on notifications',
            href: '#/settings',
          },
        ]
      : []),
  ];
}

function OneStep({ step: { name, about, isDone, act, href } }: { readonly step: Step }) {
  return (
    <li class="row step-row">
      <span class="row-main">
        <span>
          <span class={isDone ? 'status good' : 'status over'}>
            <span aria-hidden="true">{isDone ? '✓' : '○'}</span>
            <span class="unseen">{isDone ? 'Done:' : 'To do:'}</span>
          </span>{' '}
          <strong>{name}</strong>
        </span>
        {!isDone && <span class="quiet">{about}</span>}
      </span>
      {!isDone && (
        <a class="button second" href={href}>
          {act}
        </a>
      )}
    </li>
  );
}
