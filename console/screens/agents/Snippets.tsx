/** The ways to connect an agent, one at a time. */
import { useId, useState } from 'preact/hooks';
import { HOME } from '../../node/here.ts';
import { CopyText } from '../../parts/CopyText.tsx';
import { Tabs } from '../../parts/form/Tabs.tsx';
import { snippetsFor } from './snippets.ts';

export function Snippets({ agentDid }: { readonly agentDid: string }) {
  const id = useId();
  const snippets = snippetsFor({ baseUrl: HOME.href.replace(/\/$/, ''), agentDid });
  const names = snippets.map(({ name }) => name);
  const [shown, setShown] = useState(names[0] ?? '');
  const text = snippets.find(({ name }) => name === shown)?.text ?? '';
  return (
    <>
      <Tabs label="Language" names={names} shown={shown} controls={id} onChoose={setShown} />
      <div id={id}>
        <CopyText key={shown} name={`${shown} example`} text={text} />
      </div>
    </>
  );
}
