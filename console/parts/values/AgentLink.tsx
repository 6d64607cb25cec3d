/** An agent by its name, which leads to it. */
import { AgentName } from './AgentName.tsx';

export function AgentLink({ did }: { readonly did: string }) {
  return (
    <a class="inline-link" href={`#/agents/${encodeURIComponent(did)}`}>
      <AgentName did={did} />
    </a>
  );
}
