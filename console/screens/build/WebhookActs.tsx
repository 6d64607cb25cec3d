/** What can be done about an endpoint: try it, pause and resume it, change it, give it another secret, delete it. */
import { useMemo, useState } from 'preact/hooks';
import { node } from '../../node/node.ts';
import { onceFor } from '../../node/onceFor.ts';
import { Button } from '../../parts/Button.tsx';
import { Card } from '../../parts/Card.tsx';
import { CopyText } from '../../parts/CopyText.tsx';
import { Form } from '../../parts/form/Form.tsx';
import { Sheet } from '../../parts/Sheet.tsx';
import { say } from '../../parts/toasts.ts';
import { failureText } from '../../parts/values/failureText.ts';
import { go } from '../../shell/route.ts';
import type { ShownWebhook } from './OneWebhook.tsx';
import { WebhookForm } from './WebhookForm.tsx';

interface WebhookActsProps {
  readonly webhook: ShownWebhook;
  onDone(): void;
}

type Open = 'change' | 'rotate' | 'delete';

/** The main button of the webhook's screen: it tries the endpoint, or has it take events again. */
export function WebhookButton({ webhook: { id, status }, onDone }: WebhookActsProps) {
  const test = async () => {
    const { outcome, status: answered, duration, error } = await node.testWebhook({ id });
    onDone();
    const isThere = outcome === 'delivered';
    say(isThere ? `The sample arrived: ${answered} in ${duration} ms.` : `Not delivered. ${failureText(error) ?? ''}`);
  };
  const resume = async () => {
    await node.updateWebhook({ id, status: 'ACTIVE' });
    onDone();
    say('Resumed. What was held is posted now, the oldest first.');
  };
  return status === 'ACTIVE' ? (
    <Button kind="first" onClick={test}>
      Send a sample
    </Button>
  ) : (
    <Button kind="first" onClick={resume}>
      Resume
    </Button>
  );
}

export function WebhookActs({ webhook, onDone }: WebhookActsProps) {
  const [open, setOpen] = useState<Open>();
  const { id } = webhook;
  const close = () => setOpen(undefined);
  const pause = async () => {
    await node.updateWebhook({ id, status: 'DISABLED' });
    onDone();
    say('Paused. Events are held.');
  };
  return (
    <Card title="Actions">
      <div class="buttons">
        {webhook.status === 'ACTIVE' && <Button onClick={pause}>Pause</Button>}
        <Button onClick={() => setOpen('change')}>Edit…</Button>
        <Button onClick={() => setOpen('rotate')}>Rotate secret…</Button>
        <span class="apart" />
        <Button kind="risky" onClick={() => setOpen('delete')}>
          Delete…
        </Button>
      </div>
      {open === 'change' && <Change webhook={webhook} onDone={onDone} onClose={close} />}
      {open === 'rotate' && <Rotate webhook={webhook} onDone={onDone} onClose={close} />}
      {open === 'delete' && <Delete webhook={webhook} onDone={onDone} onClose={close} />}
    </Card>
  );
}

interface ActProps extends WebhookActsProps {
  onClose(): void;
}

function Change({ webhook: { id, url, events }, onDone, onClose }: ActProps) {
  return (
    <Sheet title="Edit the webhook" onClose={onClose}>
      <WebhookForm
        first={{ url, events }}
        act="Save"
        onLeave={onClose}
        onSubmit={async (input) => {
          await node.updateWebhook({ id, url: input.url, events: [...input.events] });
          onClose();
          onDone();
          say('Saved.');
        }}
      />
    </Sheet>
  );
}

function Rotate({ webhook: { id }, onDone, onClose }: ActProps) {
  const [secret, setSecret] = useState<string>();
  // Where an answer is lost, another secret would end the grace of the one that its receiver knows.
  const askOnce = useMemo(onceFor, []);
  const rotate = async () => {
    const made = await askOnce({ id }, (idempotencyKey) => node.rotateWebhookSecret({ id }, { idempotencyKey }));
    setSecret(made.secret);
    onDone();
  };
  if (secret !== undefined) {
    return (
      <Sheet title="Save this secret now" onClose={onClose}>
        <p>It is shown once. For 24 hours the former secret signs too.</p>
        <CopyText name="secret" text={secret} />
        <div class="buttons">
          <Button kind="first" onClick={onClose}>
            I have saved it
          </Button>
        </div>
      </Sheet>
    );
  }
  return (
    <Sheet title="Rotate the secret?" onClose={onClose}>
      <Form act="Rotate secret" onSubmit={rotate} onLeave={onClose}>
        <p>
          The new secret signs from now on. For 24 hours the former secret signs too, so that you can replace it at the
          receiver.
        </p>
      </Form>
    </Sheet>
  );
}

function Delete({ webhook: { id, waiting }, onClose }: ActProps) {
  const remove = async () => {
    await node.deleteWebhook({ id });
    go('#/build/webhooks');
    say('Deleted. No more events are posted there.');
  };
  const lost = waiting.pending + waiting.held;
  return (
    <Sheet title="Delete the webhook?" onClose={onClose}>
      <Form act="Delete" kind="risky" onSubmit={remove} onLeave={onClose}>
        <p>
          No more events are posted there{lost > 0 && `, and the deliveries that wait (${lost}) are dropped`}. To keep
          events for later, pause the webhook instead.
        </p>
      </Form>
    </Sheet>
  );
}
