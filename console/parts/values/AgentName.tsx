/** An agent by its name; whatever the name says, it is text and goes in one direction. */
import { nameOf } from '../../node/agentNames.ts';

export function AgentName({ did }: { readonly did: string }) {
  return (
    <bdi class="agent" title={did}>
      {nameOf(did)}
    </bdi>
  );
}
