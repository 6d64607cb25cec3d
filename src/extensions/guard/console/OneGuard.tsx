/** One guard: what its rules do with each tool, and what changed, which an owner reads and accepts. */
import { Fragment } from 'preact';
import type { Guard } from '../../../../client/operations.ts';
import { isOwner, may } from '../../../../console/login/may.ts';
import { node } from '../../../../console/node/node.ts';
import { useLoaded } from '../../../../console/node/useLoaded.ts';
import { Button } from '../../../../console/parts/Button.tsx';
import { Card } from '../../../../console/parts/Card.tsx';
import { Fact } from '../../../../console/parts/Fact.tsx';
import { Head } from '../../../../console/parts/Head.tsx';
import { Json } from '../../../../console/parts/Json.tsx';
import { RiskyButton } from '../../../../console/parts/RiskyButton.tsx';
import { Shown } from '../../../../console/parts/Shown.tsx';
import { say } from '../../../../console/parts/toasts.ts';
import { AgentLink } from '../../../../console/parts/values/AgentLink.tsx';
import { When } from '../../../../console/parts/values/When.tsx';
import { go } from '../../../../console/shell/route.ts';
import type { ScreenProps } from '../../../../console/shell/screens.ts';
import { revealedText } from '../../../../protocol/guard/revealedText.ts';
import { toolDifference } from '../../../../protocol/guard/toolDifference.ts';

type Server = Guard['servers'][number];
type Tool = Server['tools'][number];

const ACTION: Readonly<Record<Tool['action'], string>> = {
  reserve: 'Reserves the amount before it pays',
  forward: 'Forwarded',
  refuse: 'Refused',
  ask: 'Asks the person at the host',
};

export function OneGuard({ params: { id = '' } }: ScreenProps) {
  const found = useLoaded(`guard ${id}`, (signal) => node.getGuard({ id }, { signal }), ['tools']);
  return (
    <>
      <Head back={{ href: '#/settings/guards', name: 'Guards' }} />
      <Shown of={found} rows={4} height={5}>
        {(guard) => (
          <div class="stack">
            <Card title={guard.name} isMain>
              <dl class="facts">
                <Fact name="Agent">
                  <AgentLink did={guard.agentDid} />
                </Fact>
                <Fact name="Told last">
                  <When time={guard.toldAt} />
                </Fact>
              </dl>
              {may('admin') && (
                <div class="buttons">
                  <RiskyButton act="Remove" of={guard.name} onConfirm={() => remove(guard)}>
                    What was accepted of it, and not taken up, ends. One that still runs is told so, and goes on to call
                    what it had taken up: to end that, revoke its key.
                  </RiskyButton>
                </div>
              )}
            </Card>
            {guard.servers.map((server) => (
              <Tools key={server.name} id={guard.id} server={server} onDone={found.reload} />
            ))}
          </div>
        )}
      </Shown>
    </>
  );
}

async function remove({ id, name }: Guard): Promise<void> {
  await node.removeGuard({ id });
  say(`${name} is removed.`);
  go('#/settings/guards', { replace: true });
}

interface ToolsProps {
  /** Of the guard. */
  readonly id: string;
  readonly server: Server;
  onDone(): void;
}

function Tools({ id, server: { name: server, tools }, onDone }: ToolsProps) {
  const waiting = tools.filter(({ waits }) => waits);
  const readable = waiting.filter(({ definition }) => definition !== undefined);
  const accept = async (some: readonly Tool[]) => {
    await node.acceptTools({ id, server, tools: some.map(({ name, hash }) => ({ name, hash })) });
    say('Accepted. The guard takes it up when the tool is listed or called next.');
    onDone();
  };
  return (
    <Card title={server}>
      {waiting.length > 0 && (
        <p class="quiet">
          {waiting.length === 1 ? 'One tool is' : `${waiting.length} tools are`} not called until an owner accepts what
          is told here. A model reads all of it, and may do what it says.
        </p>
      )}
      <ul class="rows">
        {waiting.map((tool) => (
          <WaitingTool key={tool.name} tool={tool} onAccept={() => accept([tool])} />
        ))}
        {tools
          .filter(({ waits }) => !waits)
          .map((tool) => (
            <li key={tool.name} class="row">
              <ToolText tool={tool} />
            </li>
          ))}
      </ul>
      {isOwner() && readable.length > 1 && (
        <div class="buttons">
          <Button onClick={() => accept(readable)}>Accept all {readable.length}</Button>
        </div>
      )}
    </Card>
  );
}

function WaitingTool({ tool, onAccept }: { readonly tool: Tool; onAccept(): Promise<void> }) {
  const { name, definition, accepted, description } = tool;
  return (
    <li class="row acting">
      <div class="row-main">
        <ToolText tool={tool} />
        {definition === undefined ? (
          <p>
            It is too long to be shown here: look at it where the guard runs, by <code>countersign guard check</code>.
          </p>
        ) : accepted !== undefined ? (
          <Difference accepted={accepted} listed={definition} />
        ) : (
          <>
            <blockquote class="told">{revealedText(description ?? '(no description)')}</blockquote>
            <details class="technical" open>
              <summary>All that a model is told</summary>
              <Json value={revealedText(JSON.stringify(JSON.parse(definition), null, 2))} />
            </details>
          </>
        )}
      </div>
      {isOwner() && definition !== undefined && (
        <Button kind="first" label={`Accept ${revealedText(name)}`} onClick={onAccept}>
          Accept
        </Button>
      )}
    </li>
  );
}

/** Also what did not change: what was accepted is the word of the guard. */
function Difference({ accepted, listed }: { readonly accepted: string; readonly listed: string }) {
  const Line = { both: 'span', gone: 'del', new: 'ins' } as const;
  const sign = { both: '  ', gone: '− ', new: '+ ' } as const;
  const lines = toolDifference(accepted, listed).map(({ mark, text }, at) => {
    const Element = Line[mark];
    const words = text.trimStart();
    return (
      <Fragment key={at}>
        {sign[mark] + ' '.repeat(text.length - words.length)}
        <Element>{words}</Element>
        {'\n'}
      </Fragment>
    );
  });
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard
    <pre class="json difference" tabIndex={0}>
      {lines}
    </pre>
  );
}

function ToolText({ tool: { name, action, readOnly, rules, change, acceptance } }: { readonly tool: Tool }) {
  const does = action === 'forward' && readOnly ? 'Forwarded: only reads' : ACTION[action];
  return (
    <div class="row-main">
      <span>
        <bdi>{revealedText(name)}</bdi>
        {change !== undefined && <strong> · {CHANGE[change]}</strong>}
      </span>
      <span class="quiet" title={rules}>
        {does}
        {acceptance !== undefined && (
          <>
            {' '}
            · accepted <When time={acceptance.at} inLink />, and not taken up by the guard yet
          </>
        )}
      </span>
    </div>
  );
}

const CHANGE = { added: 'new', changed: 'changed', gone: 'gone' } as const;
