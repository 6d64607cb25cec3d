/** What to do before anything has happened: each step with whether it is done, and the button that does it. */
import { may } from '../../login/may.ts';
import { namedAgents } from '../../node/agentNames.ts';
import { IS_SANDBOX } from '../../node/here.ts';
import { node } from '../../node/node.ts';
import { useLoaded } from '../../node/useLoaded.ts';
import { hasNotifications } from '../../notifications/preferences.ts';
import { Card } from '../../parts/Card.tsx';
import { Empty } from '../../parts/Empty.tsx';
import { Shown } from '../../parts/Shown.tsx';

interface Step {
  readonly name: string;
  readonly about: string;
  readonly isDone: boolean;
  readonly act: string;
  readonly href: string;
}

export function FirstSteps() {
  if (may('admin')) return <Steps />;
  return (
    <Card>
      <Empty title="No agent has bought anything yet">
        <p>Requests and payments of your agents appear here.</p>
      </Empty>
    </Card>
  );
}

function Steps() {
  const hasPolicy = useLoaded('first steps', (signal) => node.listPolicies({ limit: 1 }, { signal }), ['policy']);
  return (
    <Card title="First steps">
      <Shown of={hasPolicy} rows={5} height={4}>
        {({ data }) => (
          <ol class="rows steps">
            {stepsOf(data.length > 0).map((step) => (
              <OneStep key={step.name} step={step} />
            ))}
          </ol>
        )}
      </Shown>
    </Card>
  );
}

function stepsOf(hasPolicy: boolean): readonly Step[] {
  const purchase = IS_SANDBOX
    ? { about: 'Play one in the sandbox: no money moves.', act: 'Open the playground', href: '#/build/playground' }
    : { about: 'Connect the agent, and have it ask for something.', act: 'See how to connect', href: '#/build' };
  return [
    {
      name: 'Become the owner',
      about: 'Your passkey signs you in and approves purchases.',
      isDone: true,
      act: 'Add a passkey',
      href: '#/settings',
    },
    {
      name: 'Add an agent',
      about: 'It gets a key of its own, and buys nothing that the policy does not allow.',
      isDone: namedAgents().length > 0,
      act: 'Add an agent',
      href: '#/agents/new',
    },
    {
      name: 'Write the policy',
      about: 'How much, where, how often, and when you are asked.',
      isDone: hasPolicy,
      act: 'Write the policy',
      href: '#/policy/draft',
    },
    { name: 'See a first purchase', isDone: false, ...purchase },
    {
      name: 'Get notified of pending purchases',
      about: 'Notifications in this browser or on your phone.',
      isDone: hasNotifications(),
      act: 'Turn on notifications',
      href: '#/settings',
    },
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
