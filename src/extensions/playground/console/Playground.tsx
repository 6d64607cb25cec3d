/** The sandbox's playground: an agent of this page buys, and each message is shown as it was sent and answered. */
import type { Agent } from '../../../../client/operations.ts';
import { useLoaded } from '../../../../console/node/useLoaded.ts';
import { Button } from '../../../../console/parts/Button.tsx';
import { Card } from '../../../../console/parts/Card.tsx';
import { Json } from '../../../../console/parts/Json.tsx';
import { Shown } from '../../../../console/parts/Shown.tsx';
import { SubPlaces } from '../../../../console/parts/SubPlaces.tsx';
import { Trouble } from '../../../../console/parts/Trouble.tsx';
import { say } from '../../../../console/parts/toasts.ts';
import { findPlayers, playerDid, revokePlayers } from './player.ts';
import { isPlaying, type Play, play, plays } from './plays.ts';
import type { End, PlayStep, Story } from './stage.ts';
import { STORIES } from './stories.ts';

export function Playground() {
  return (
    <SubPlaces of="/build">
      <div class="split">
        <Card title="Playground">
          <p>
            An agent buys in this sandbox. Its key is made in this page, and it signs its own messages. What you see is
            what was sent. No money moves.
          </p>
          <p class="quiet">
            The stories are made for the policy that a sandbox begins with; with another one they may end otherwise, and
            say so.
          </p>
        </Card>
        <aside class="context">
          <CleanUp />
        </aside>
        <div class="stack">
          {STORIES.map((story) => (
            <StoryCard key={story.name} story={story} />
          ))}
        </div>
      </div>
    </SubPlaces>
  );
}

function StoryCard({ story }: { readonly story: Story }) {
  const { name, title, what } = story;
  const played = plays.value.get(name);
  const isBusy = isPlaying(name);
  return (
    <Card
      title={title}
      aside={
        <Button disabled={isBusy} label={`Play: ${title}`} onClick={() => void play(story)}>
          {isBusy ? 'Playing…' : played === undefined ? 'Play' : 'Play again'}
        </Button>
      }
    >
      <p>{what}</p>
      {played !== undefined && <Played played={played} />}
    </Card>
  );
}

function Played({ played: { state, steps, approvalId, end, error } }: { readonly played: Play }) {
  return (
    <div aria-live="polite">
      <ol class="story">
        {steps.map((step, index) => (
          <StepRow key={`${index} ${step.title}`} step={step} />
        ))}
      </ol>
      {state === 'plays' && <p class="quiet">Waiting for the node…</p>}
      {state === 'waits' && (
        <p class="note">
          The agent waits for you. <a href={`#/approvals/${approvalId}`}>Decide</a>, then come back: it continues by
          itself.
        </p>
      )}
      {error !== undefined && <Trouble error={error} />}
      {end !== undefined && <Ending end={end} />}
    </div>
  );
}

function StepRow({ step: { title, tone, sent, answered, link } }: { readonly step: PlayStep }) {
  return (
    <li class={`step ${tone}`}>
      <details>
        <summary>
          <span class="step-title">{title}</span>
        </summary>
        <h3>Sent</h3>
        <Json value={sent} />
        <h3>Answered</h3>
        <Json value={answered} />
        {link !== undefined && (
          <a class="inline-link" href={link.href}>
            {link.text}
          </a>
        )}
      </details>
    </li>
  );
}

function Ending({ end: { isAsTold, text, link } }: { readonly end: End }) {
  return (
    <p class={isAsTold ? 'ending' : 'note'}>
      <strong>{text}</strong> {!isAsTold && 'That is not how the story goes with the sandbox’s first policy. '}
      {link !== undefined && <a href={link.href}>{link.text}</a>}
    </p>
  );
}

function CleanUp() {
  const did = playerDid.value;
  const found = useLoaded(`players ${did}`, findPlayers, ['agent']);
  return (
    <Card title="Clean up">
      <p>
        Payments and their evidence stay, as those of any agent. “Reset the sandbox” in{' '}
        <a href="#/settings/node">Settings</a> removes them.
      </p>
      <Shown of={found} rows={1}>
        {(players) => <Players players={players} onDone={found.reload} />}
      </Shown>
    </Card>
  );
}

function Players({ players, onDone }: { readonly players: readonly Agent[]; onDone(): void }) {
  if (players.length === 0) return <p class="quiet">No agent of the playground is active.</p>;
  const revoke = async () => {
    await revokePlayers(players);
    say('Revoked. The next story makes another agent.');
    onDone();
  };
  return (
    <>
      <p>
        {players.length === 1 ? 'One agent of the playground is' : `${players.length} agents of the playground are`}{' '}
        active. The key of one whose page was closed is lost.
      </p>
      <div class="buttons">
        <Button onClick={revoke}>{players.length === 1 ? 'Revoke it' : 'Revoke them'}</Button>
      </div>
    </>
  );
}
