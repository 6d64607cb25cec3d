/** An agent by its name, which leads to it, and its DID. */
import { AgentName } from './AgentName.tsx';
import { LongId } from './LongId.tsx';

export function AgentLink({ did }: { readonly did: string }) {
  return (
    <>
      <a class="inline-link" href={`#/agents/${encodeURIComponent(did)}`}>
        <AgentName did={did} />
      </a>
      <br />
      <LongId id={did} />
    </>
  );
}
