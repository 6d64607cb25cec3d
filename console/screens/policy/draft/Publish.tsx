/** What a draft changes of what is in force, and putting it into force: what lets more through asks for a touch, at the node. */
import type { ComponentChildren } from 'preact';
import { useMemo } from 'preact/hooks';
import { CountersignError } from '../../../../client/error.ts';
import type { Policy } from '../../../../client/operations.ts';
import { randomId } from '../../../../client/randomId.ts';
import type { Rules } from '../../../../protocol/policy/rules.ts';
import { may } from '../../../login/may.ts';
import { Button } from '../../../parts/Button.tsx';
import { Card } from '../../../parts/Card.tsx';
import { say } from '../../../parts/toasts.ts';
import type { RulesCode } from '../../../proofs/loadRules.ts';
import type { ChangedSentences } from '../../../proofs/ruleSentences.ts';
import { go } from '../../../shell/route.ts';
import { Changes } from '../Changes.tsx';
import { publish, type VersionId } from '../policies.ts';
import type { ReadDraft } from './DraftScreen.tsx';
import { dropDraft, keepDraft, keptDraft } from './keptDraft.ts';
import { Problems } from './Problems.tsx';
import { Stops } from './Stops.tsx';
import type { DraftCount } from './useCounted.ts';

interface PublishProps {
  readonly read: ReadDraft;
  readonly current: Policy | undefined;
  readonly code: RulesCode;
  /** What its limits count now. */
  readonly count: DraftCount;
  /** Told where it is wanted as it is, though something is wrong with it. */
  onAsk(): void;
  onDone(): void;
  /** Told once the draft is given up. */
  onDrop(): void;
}

export function Publish({ read, current, code, count, onAsk, onDone, onDrop }: PublishProps) {
  const { rules, draft } = read;
  const former = current?.rules as unknown as Rules | undefined;
  const changes = rules === undefined || former === undefined ? [] : code.changedSentences(former, rules);
  const isSame = rules !== undefined && former !== undefined && code.isSameJson(rules, former);
  const discard = keptDraft() !== undefined && (
    <Button
      onClick={() => {
        dropDraft();
        onDrop();
      }}
    >
      Discard the draft
    </Button>
  );
  return (
    <Card title="What it changes" class="publish">
      {/* It may be long, and stays within sight all the same; so that it can be scrolled by the keyboard, it takes the focus. */}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is scrolled by the keyboard as well */}
      <section class="publish-says" aria-label="Changes of the draft" tabIndex={0}>
        <Problems of={read} labelOf={code.labelOf} />
        {rules === undefined ? null : isSame ? (
          <p class="quiet">Nothing yet: it is what is in force.</p>
        ) : former === undefined ? (
          <p>Nothing is in force, so every purchase is refused. With it, what it allows may be bought.</p>
        ) : (
          <Changes changes={changes} />
        )}
        {rules !== undefined && <Stops counted={count.counted} />}
        {count.state === 'unknown' && <p class="note">It could not be found out whom the limits would stop now.</p>}
        {rules !== undefined && <Contradictions warnings={code.warningsIn(rules)} labelOf={code.labelOf} />}
      </section>
      {isSameVersion(draft.over, current) ? (
        <Act
          read={read}
          current={current}
          changes={changes}
          isSame={isSame}
          isWaiting={count.state === 'asked'}
          onAsk={onAsk}
          onDone={onDone}
          discard={discard}
        />
      ) : (
        <Overtaken read={read} current={current} discard={discard} />
      )}
    </Card>
  );
}

/** What is told before it is published: the node takes it all the same. */
function Contradictions({
  warnings,
  labelOf,
}: Pick<RulesCode, 'labelOf'> & { readonly warnings: ReturnType<RulesCode['warningsIn']> }) {
  if (warnings.length === 0) return null;
  return (
    <div class="note" role="status">
      <p>
        <strong>The draft contradicts itself.</strong> It may be published, and says something else than it seems to:
      </p>
      <ul class="causes">
        {warnings.map(({ path, message }) => (
          <li key={path}>
            <strong title={path}>{labelOf(path)}</strong>: {message}
          </li>
        ))}
      </ul>
    </div>
  );
}

function isSameVersion(one: VersionId | undefined, other: VersionId | undefined): boolean {
  return one?.id === other?.id && one?.version === other?.version;
}

/** Another user has published since the draft was begun: what they changed is not to be undone unseen. */
function Overtaken({ read: { draft }, current, discard }: Pick<ActProps, 'read' | 'current' | 'discard'>) {
  if (!may('admin')) return null;
  return (
    <div class="note" role="status">
      <p>
        <strong>
          {current === undefined ? (
            'No policy is in force any more.'
          ) : (
            <>
              <bdi>{current.name}</bdi>, version {current.version}, was published in between.
            </>
          )}
        </strong>{' '}
        Your draft is kept. The changes above are against what is in force now: look whether it takes back what another
        user has changed.
      </p>
      <div class="buttons">
        <Button onClick={() => keepDraft({ ...draft, over: current && { id: current.id, version: current.version } })}>
          I have looked: go on
        </Button>
        {discard}
      </div>
    </div>
  );
}

interface ActProps extends Pick<PublishProps, 'read' | 'current' | 'onAsk' | 'onDone'> {
  /** The button that gives the draft up, where there is one. */
  readonly discard: ComponentChildren;
  readonly changes: readonly ChangedSentences[];
  readonly isSame: boolean;
  /** Until it is known whom the limits stop: they are not published unseen. */
  readonly isWaiting: boolean;
}

function Act({ read, current, changes, isSame, isWaiting, onAsk, onDone, discard }: ActProps) {
  const { rules, draft } = read;
  // Asked again after a lost answer it is the same request, and published once; another draft is another request.
  const idempotencyKey = useMemo(randomId, [draft.text, draft.over?.id, draft.over?.version]);
  if (!may('admin')) {
    return (
      <>
        <p class="quiet">An administrator publishes it. You may try it here.</p>
        <div class="buttons">{discard}</div>
      </>
    );
  }
  const looser = changes.filter(({ direction }) => direction === 'looser').length;
  const isRaising = looser > 0 || current === undefined;
  const act = async () => {
    if (rules === undefined) return onAsk();
    try {
      const written = await publish({ rules, over: draft.over, idempotencyKey });
      dropDraft();
      go('#/policy');
      say(
        `${written.name}, version ${written.version}, is in force.`,
        current && { name: 'Undo', run: () => undo(written, current) },
      );
    } catch (error) {
      if (!(error instanceof CountersignError && error.code === 'CONFLICT')) throw error;
      // What is in force now is loaded, and the card says that another user has published.
      onDone();
    }
  };
  return (
    <>
      {isRaising && rules !== undefined && !isSame && (
        <p class="note">
          {looser === 1
            ? 'One rule becomes looser'
            : looser === 0
              ? 'It is the first policy'
              : `${looser} rules become looser`}
          : publishing it asks for a touch of your passkey, unless you have touched it just now.
        </p>
      )}
      <div class="buttons">
        <Button kind="first" disabled={isSame || (rules !== undefined && isWaiting)} onClick={act}>
          Publish
        </Button>
        {discard}
      </div>
    </>
  );
}

/** The rules of the version before, as the next one: versions are never taken away. */
async function undo(written: VersionId, former: Policy): Promise<void> {
  const rules = former.rules as unknown as Rules;
  const next = await publish({ rules, over: written, idempotencyKey: randomId() });
  say(`${next.name}, version ${next.version}, is in force; it says what version ${former.version} said.`);
}
