/** An agent by its name, which is shown as text in one direction, markup and all. */
import { nameOf } from '../../node/agentNames.ts';

export function AgentName({ did }: { readonly did: string }) {
  return (
    <bdi class="agent" title={did}>
      {nameOf(did)}
    </bdi>
  );
}
