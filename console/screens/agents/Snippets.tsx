/** The ways to connect an agent, one at a time, with whose money it spends. */
import { useId, useState } from 'preact/hooks';
import type { Principal } from '../../../client/operations.ts';
import { HOME } from '../../node/here.ts';
import { CopyText } from '../../parts/CopyText.tsx';
import { Choice } from '../../parts/form/Field.tsx';
import { Tabs } from '../../parts/form/Tabs.tsx';
import { snippetsFor } from './snippets.ts';

interface SnippetsProps {
  readonly agentDid: string;
  /** Who allow the agent to spend their money, as far as the user may know them. */
  readonly principals?: readonly Principal[];
}

export function Snippets({ agentDid, principals = [] }: SnippetsProps) {
  const id = useId();
  const [principalDid, setPrincipal] = useState(principals[0]?.did ?? agentDid);
  const snippets = snippetsFor({ baseUrl: HOME.href.replace(/\/$/, ''), agentDid, principalDid });
  const names = snippets.map(({ name }) => name);
  const [shown, setShown] = useState(names[0] ?? '');
  const text = snippets.find(({ name }) => name === shown)?.text ?? '';
  return (
    <>
      {principals.length === 0 ? (
        <p class="quiet">
          The examples name the agent itself as whose money it is. Replace <code>principalDid</code> by the DID of a
          person or company that allows this agent to spend its money.
        </p>
      ) : (
        <Choice
          label="Whose money the example spends"
          value={principalDid}
          options={principals.map(({ did, name }) => [did, name] as const)}
          onChange={setPrincipal}
        />
      )}
      <Tabs label="Language" names={names} shown={shown} controls={id} onChoose={setShown} />
      <div id={id}>
        <CopyText key={shown + principalDid} name={`${shown} example`} text={text} />
      </div>
    </>
  );
}
