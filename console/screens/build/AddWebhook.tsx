/** Another endpoint. The secret that signs what is posted there is shown this once. */

import { useMemo, useState } from 'preact/hooks';
import type { Operations } from '../../../client/operations.ts';
import { node } from '../../node/node.ts';
import { onceFor } from '../../node/onceFor.ts';
import { Card } from '../../parts/Card.tsx';
import { CopyText } from '../../parts/CopyText.tsx';
import { Head } from '../../parts/Head.tsx';
import { go } from '../../shell/route.ts';
import { EVENT_TYPES } from './eventWords.ts';
import { WebhookForm, type WebhookInput } from './WebhookForm.tsx';

type NewWebhook = Operations['createWebhook']['output'];

/** Most programs want to know of money that moves. */
const USUAL = EVENT_TYPES.filter((type) => type.startsWith('payment.'));

export function AddWebhook() {
  const [made, setMade] = useState<NewWebhook>();
  const askOnce = useMemo(onceFor, []);
  const add = async ({ url, events }: WebhookInput) => {
    const input = { url, events: [...events] };
    setMade(await askOnce(input, (idempotencyKey) => node.createWebhook(input, { idempotencyKey })));
  };
  return (
    <>
      <Head back={{ href: '#/build/webhooks', name: 'Webhooks' }} />
      <div class="stack">
        {made === undefined ? (
          <Card isMain title="Add a webhook">
            <WebhookForm
              first={{ url: '', events: USUAL }}
              act="Add webhook"
              onSubmit={add}
              onLeave={() => go('#/build/webhooks')}
            />
          </Card>
        ) : (
          <Card isMain title="Save this secret now">
            <p>
              The secret signs every delivery, and is shown once. How to verify a signature is in{' '}
              <a href="../docs/webhooks">the documents</a>.
            </p>
            <CopyText name="secret" text={made.secret} />
            <div class="buttons">
              <a class="button first" href={`#/build/webhooks/${made.id}`}>
                Open the webhook
              </a>
            </div>
          </Card>
        )}
      </div>
    </>
  );
}
