/** Verifies the chain in this browser, and compares it with what this browser, or the person, has from before. */
import { useEffect, useRef, useState } from 'preact/hooks';
import { explain } from '../../node/explainError.ts';
import { HOME, IS_SANDBOX, NODE_DID } from '../../node/here.ts';
import { Button } from '../../parts/Button.tsx';
import { Card } from '../../parts/Card.tsx';
import { sayTrouble } from '../../parts/toasts.ts';
import { When } from '../../parts/values/When.tsx';
import { interpretSchemas } from '../../proofs/interpretSchemas.ts';
import { forget, remember, remembered, type SeenCheckpoint } from '../../proofs/remembered.ts';
import type { ChainVerdict, Progress } from '../../proofs/verifyChain.ts';
import { go } from '../../shell/route.ts';
import { count, duration, rate } from './figures.ts';

interface Verification {
  readonly verdict: ChainVerdict;
  readonly known: readonly SeenCheckpoint[];
  readonly pasted: string;
}

interface ChainCheck {
  readonly pasted: string;
  /** Undefined while none is running. */
  readonly progress: Progress | undefined;
  readonly done: Verification | undefined;
  setPasted(note: string): void;
  verify(): Promise<void>;
  stop(): void;
}

/** @param isAsked whether the link asks for the verification, so that it begins by itself */
export function useChainCheck(isAsked: boolean): ChainCheck {
  const [pasted, setPasted] = useState('');
  const [progress, setProgress] = useState<Progress>();
  const [done, setDone] = useState<Verification>();
  const running = useRef<AbortController>(undefined);
  const verify = async () => {
    const known = remembered(HOME.href);
    running.current = new AbortController();
    setDone(undefined);
    setProgress({ events: 0, ms: 0 });
    try {
      const verdict = await run(known, pasted.trim(), running.current.signal, setProgress);
      if (verdict.ok) keep(verdict);
      setDone({ verdict, known, pasted: pasted.trim() });
    } finally {
      setProgress(undefined);
    }
  };
  useEffect(() => {
    if (!isAsked) return;
    // Asked once: neither a reload nor a way back begins it again.
    go('#/evidence', { replace: true });
    if (progress === undefined) verify().catch(sayTrouble);
  }, [isAsked]);
  return { pasted, progress, done, setPasted, verify, stop: () => running.current?.abort() };
}

export function VerifyButton({ check: { progress, verify, stop } }: { readonly check: ChainCheck }) {
  if (progress !== undefined) return <Button onClick={stop}>Stop</Button>;
  return (
    <Button kind="first" onClick={verify}>
      Verify the chain
    </Button>
  );
}

interface VerifyHereProps {
  readonly check: ChainCheck;
  /** How many events the chain has. */
  readonly total: number;
}

export function VerifyHere({ check: { pasted, progress, done, setPasted }, total }: VerifyHereProps) {
  return (
    <Card title="Verification in this browser">
      {progress !== undefined && <Running progress={progress} total={total} />}
      {done !== undefined && <Verdict done={done} />}
      <p class="quiet">
        Your browser reads the whole chain and checks it by itself: that no event was changed, left out or moved, that
        the node signed it, and that it continues what this browser has seen before.
      </p>
      <details>
        <summary>Compare with a checkpoint that you have</summary>
        <div class="field">
          <label for="pasted-note">The signed note, as the node gave it to you</label>
          <textarea
            id="pasted-note"
            rows={5}
            spellcheck={false}
            value={pasted}
            onInput={(event) => setPasted(event.currentTarget.value)}
          />
        </div>
      </details>
    </Card>
  );
}

async function run(
  known: readonly SeenCheckpoint[],
  pasted: string,
  signal: AbortSignal,
  onProgress: (progress: Progress) => void,
): Promise<ChainVerdict> {
  await interpretSchemas();
  const { verifyChain } = await import('../../proofs/verifyChain.ts');
  const kept = [...known.map(({ note }) => note), ...(pasted === '' ? [] : [`${pasted}\n`])];
  // Whom this browser knows from before, and not whom the page says that it is by.
  const issuer = known[0]?.issuer ?? NODE_DID;
  try {
    return await verifyChain({ issuer, kept, signal, onProgress });
  } catch (error) {
    if (signal.aborted) throw new Error('You stopped it before it was done.');
    throw error instanceof Error ? error : new Error(explain(error).message);
  }
}

/** Only what holds against all that was known before is worth remembering. */
function keep(verdict: Extract<ChainVerdict, { readonly ok: true }>): void {
  if (!verdict.kept.every(({ ok }) => ok)) return;
  const seen = { note: verdict.note, size: verdict.events, seenAt: new Date().toISOString(), issuer: NODE_DID };
  remember(HOME.href, seen);
}

function Running({ progress, total }: { readonly progress: Progress; readonly total: number }) {
  return (
    <div class="progress">
      <progress max={Math.max(total, progress.events)} value={progress.events} aria-label="Verified events" />
      <p class="quiet">
        {count(progress.events)} of {count(Math.max(total, progress.events))} events
        {rate(progress)}
      </p>
    </div>
  );
}

function Verdict({ done: { verdict, known, pasted } }: { readonly done: Verification }) {
  if (!verdict.ok) {
    return (
      <div class="verdict trouble" role="alert">
        <p>
          <strong>The chain does not hold.</strong> {verdict.fault.reason}
        </p>
        {verdict.fault.seq > 0 && <p>Up to event {count(verdict.fault.seq - 1)} it does.</p>}
      </div>
    );
  }
  const [ofPasted] = pasted === '' ? [] : verdict.kept.slice(-1);
  const ofKnown = verdict.kept.slice(0, known.length);
  const broken = [...ofKnown, ...(ofPasted === undefined ? [] : [ofPasted])].find(({ ok }) => !ok);
  if (broken !== undefined && !broken.ok) return <Rewritten reason={broken.reason} />;
  return (
    <div class="verdict" role="status">
      <p>
        <span class="status good">
          <span aria-hidden="true">✓</span> Verified in this browser
        </span>{' '}
        {verdict.events === 1 ? 'The event is' : `All ${count(verdict.events)} events are`} unchanged, in place, and
        signed by this node ({duration(verdict.ms)}
        {rate(verdict)}).
      </p>
      <p class="quiet">
        <Continues newest={known.at(-1)} withPasted={ofPasted !== undefined} />
      </p>
    </div>
  );
}

interface ContinuesProps {
  /** What this browser saw last before. */
  readonly newest: SeenCheckpoint | undefined;
  readonly withPasted: boolean;
}

function Continues({ newest, withPasted }: ContinuesProps) {
  return (
    <>
      {newest === undefined ? (
        'This browser remembers this state from now on.'
      ) : (
        <>
          It continues what this browser saw before, the last time over {count(newest.size)} events (
          <When time={newest.seenAt} />
          ).
        </>
      )}
      {withPasted && ' It continues the checkpoint that you gave.'}
    </>
  );
}

function Rewritten({ reason }: { readonly reason: string }) {
  const [isForgotten, setForgotten] = useState(false);
  return (
    <div class="verdict trouble" role="alert">
      <p>
        <strong>This is not the chain that was here before.</strong> {reason}
      </p>
      <p>
        By itself it holds and is signed by this node, so a holder of the node’s key has changed what happened.
        {IS_SANDBOX && ' In the sandbox, resetting the test data begins a new chain, too.'}
      </p>
      {isForgotten ? (
        <p class="quiet">This browser has forgotten what it saw. Verify again to start over.</p>
      ) : (
        <Button
          kind="risky"
          onClick={() => {
            forget(HOME.href);
            setForgotten(true);
          }}
        >
          Forget what this browser saw
        </Button>
      )}
    </div>
  );
}
