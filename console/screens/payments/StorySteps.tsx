/** The steps of a transaction, each with its evidence, which is checked here and not taken on the server's word. */
import { useEffect, useState } from 'preact/hooks';
import type { Bundle } from '../../node/bundles.ts';
import { explain } from '../../node/explainError.ts';
import { download } from '../../node/files.ts';
import { HOME, NODE_DID } from '../../node/here.ts';
import type { LoadState } from '../../node/useLoaded.ts';
import { ApprovedHow } from '../../parts/ApprovedHow.tsx';
import { Button } from '../../parts/Button.tsx';
import { Card } from '../../parts/Card.tsx';
import { Fact } from '../../parts/Fact.tsx';
import { Icon } from '../../parts/Icon.tsx';
import { Json } from '../../parts/Json.tsx';
import { Shown } from '../../parts/Shown.tsx';
import { When } from '../../parts/values/When.tsx';
import type { BundleVerdict } from '../../proofs/checkBundle.ts';
import { checkEvidence } from '../../proofs/loadCheck.ts';
import { type StoryEntry, storyOf } from './story.ts';

interface StoryProps {
  readonly transactionId: string;
  readonly bundle: LoadState<Bundle>;
}

export function Story({ transactionId, bundle }: StoryProps) {
  const checked = useChecked(bundle.value);
  return (
    <Card
      title="What happened"
      aside={
        bundle.value !== undefined && (
          <Button
            kind="plain"
            label="Download the evidence of this purchase as a file"
            onClick={() => download(`${transactionId}.json`, bundle.value?.text ?? '', 'application/json')}
          >
            <Icon name="download" size={20} /> Evidence
          </Button>
        )
      }
    >
      <Shown of={bundle} rows={5}>
        {({ events }) => (
          <>
            <Verdict checked={checked} count={events.length} />
            <ol class="story">
              {storyOf(events).map((step) => (
                <StoryStep key={step.event.id} step={step} checked={checked} />
              ))}
            </ol>
          </>
        )}
      </Shown>
    </Card>
  );
}

/** The bundle's check, which takes a moment and its own code. */
function useChecked(bundle: Bundle | undefined): BundleVerdict | undefined {
  const [checked, setChecked] = useState<{ of: Bundle; result: BundleVerdict }>();
  useEffect(() => {
    if (bundle === undefined) return;
    let isCurrent = true;
    checkEvidence(bundle.text, NODE_DID, HOME.origin).then(
      (result) => isCurrent && setChecked({ of: bundle, result }),
      (error: unknown) =>
        isCurrent && setChecked({ of: bundle, result: { ok: false, part: 'check', reason: explain(error).message } }),
    );
    return () => {
      isCurrent = false;
    };
  }, [bundle]);
  return checked !== undefined && checked.of === bundle ? checked.result : undefined;
}

function Verdict({ checked, count }: { readonly checked: BundleVerdict | undefined; readonly count: number }) {
  if (checked === undefined) return <p class="verdict quiet">Checking the evidence in this browser…</p>;
  if (!checked.ok) {
    return (
      <p class="verdict trouble" role="alert">
        <strong>The evidence does not hold.</strong> {checked.reason}
      </p>
    );
  }
  return (
    <div class="verdict">
      <p>
        <span class="status good">
          <span aria-hidden="true">✓</span> Checked in this browser
        </span>{' '}
        {count === 1 ? 'The event is' : `All ${count} events are`} unchanged, in place in the chain of{' '}
        {checked.chainSize.toLocaleString('en-US')}, and signed by this node.
      </p>
      <ApprovedHow {...checked} />
      {checked.unsigned.length > 0 && (
        <details>
          <summary>What this node did not sign</summary>
          <ul class="causes">
            {checked.unsigned.map((sentence) => (
              <li key={sentence}>{sentence}</li>
            ))}
          </ul>
        </details>
      )}
    </div>
  );
}

function StoryStep({ step, checked }: { readonly step: StoryEntry; readonly checked: BundleVerdict | undefined }) {
  const { event, title, more, tone } = step;
  return (
    <li class={`step ${tone}`}>
      <details>
        <summary>
          <span class="step-title">{title}</span>
          <When time={event.createdAt} inLink />
          {more !== undefined && <span class="quiet step-more">{more}</span>}
        </summary>
        <dl class="facts">
          <Fact name="Event">
            Number {event.seq.toLocaleString('en-US')} in the chain <code class="quiet">{event.eventType}</code>
            {checked?.ok === true && (
              <span class="status good">
                {' '}
                <span aria-hidden="true">✓</span> checked
              </span>
            )}
          </Fact>
          <Fact name="Hash">
            <code>{event.hashCurr}</code>
          </Fact>
          <Fact name="Follows">
            <code>{event.hashPrev}</code>
          </Fact>
        </dl>
        <Json value={event.data} />
      </details>
    </li>
  );
}
