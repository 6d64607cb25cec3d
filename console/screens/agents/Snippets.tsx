/** The ways to connect an agent, one at a time. */
import { useId, useState } from 'preact/hooks';
import { HOME } from '../../node/here.ts';
import { CopyText } from '../../parts/CopyText.tsx';
import { snippetsFor } from './snippets.ts';

export function Snippets({ agentDid }: { readonly agentDid: string }) {
  const [shown, setShown] = useState(0);
  const id = useId();
  const snippets = snippetsFor({ baseUrl: HOME.href.replace(/\/$/, ''), agentDid });
  const { name, text } = snippets[shown] ?? { name: '', text: '' };
  return (
    <>
      <fieldset class="tabs" aria-label="Language">
        {snippets.map((snippet, index) => (
          <button
            key={snippet.name}
            type="button"
            class="tab"
            aria-pressed={index === shown}
            aria-controls={id}
            onClick={() => setShown(index)}
          >
            {snippet.name}
          </button>
        ))}
      </fieldset>
      <div id={id}>
        <CopyText key={name} name={`${name} example`} text={text} />
      </div>
    </>
  );
}
