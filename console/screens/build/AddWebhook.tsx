/** Another endpoint. The secret that signs what is posted there is shown this once. */
import { useMemo, useState } from 'preact/hooks';
import type { Operations } from '../../../client/operations.ts';
import { node } from '../../node/node.ts';
import { onceFor } from '../../node/onceFor.ts';
import { Back } from '../../parts/Back.tsx';
import { Card } from '../../parts/Card.tsx';
import { CopyText } from '../../parts/CopyText.tsx';
import { go } from '../../shell/route.ts';
import { EVENT_TYPES } from './eventWords.ts';
import { WebhookForm, type WebhookInput } from './WebhookForm.tsx';

type Made = Operations['createWebhook']['output'];

/** Most programs want to know of money that moves. */
const USUAL = EVENT_TYPES.filter((type) => type.startsWith('payment.'));

export function AddWebhook() {
  const [made, setMade] = useState<Made>();
  const askOnce = useMemo(onceFor, []);
  const add = async ({ url, events }: WebhookInput) => {
    const input = { url, events: [...events] };
    setMade(await askOnce(input, (idempotencyKey) => node.createWebhook(input, { idempotencyKey })));
  };
  return (
    <>
      <Back href="#/build/webhooks">Webhooks</Back>
      <div class="stack">
        {made === undefined ? (
          <Card isMain title="Add a webhook">
            <WebhookForm
              first={{ url: '', events: USUAL }}
              act="Add it"
              onSubmit={add}
              onLeave={() => go('#/build/webhooks')}
            />
          </Card>
        ) : (
          <Card isMain title="Keep this secret now">
            <p>
              It signs every delivery, and is shown this once. How to verify a signature is in{' '}
              <a href="../docs/webhooks">the documents</a>.
            </p>
            <CopyText name="secret" text={made.secret} />
            <div class="buttons">
              <a class="button first" href={`#/build/webhooks/${made.id}`}>
                Go on to the webhook
              </a>
            </div>
          </Card>
        )}
      </div>
    </>
  );
}
