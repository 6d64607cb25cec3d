/** What stands around each place of Build: its name, and the way to the others. */

import type { ComponentChildren } from 'preact';
import { HAS_PLAYGROUND } from '../../node/here.ts';
import { Head } from '../../parts/Head.tsx';
import { SubPlaces, type Tab } from '../../parts/SubPlaces.tsx';

const PLACES: readonly Tab[] = [
  { path: '/build', name: 'Start', permission: 'read' },
  { path: '/build/keys', name: 'API keys', permission: 'admin' },
  { path: '/build/webhooks', name: 'Webhooks', permission: 'admin' },
  { path: '/build/events', name: 'Events', permission: 'read' },
  ...(HAS_PLAYGROUND ? [{ path: '/build/playground', name: 'Playground', permission: 'admin' } as const] : []),
];

interface BuildFrameProps {
  /** The main button. */
  readonly act?: ComponentChildren;
  readonly children: ComponentChildren;
}

export function BuildFrame({ act, children }: BuildFrameProps) {
  return (
    <>
      <Head title="Build">{act}</Head>
      <SubPlaces label="Places in Build" places={PLACES} />
      <div class="stack">{children}</div>
    </>
  );
}
