/** What stands around each place of Settings: its name, and the way to the others. */

import type { ComponentChildren } from 'preact';
import { runsWith } from '../../node/here.ts';
import { Head } from '../../parts/Head.tsx';
import { SubPlaces, type Tab } from '../../parts/SubPlaces.tsx';

const PLACES: readonly Tab[] = [
  { path: '/settings', name: 'You', permission: 'read' },
  { path: '/settings/people', name: 'People', permission: 'admin' },
  { path: '/settings/merchants', name: 'Merchants', permission: 'admin' },
  { path: '/settings/health', name: 'Health', permission: 'admin' },
  { path: '/settings/instruments', name: 'Payment methods', permission: 'admin' },
  ...(runsWith('x402') ? [{ path: '/settings/wallets', name: 'Wallets', permission: 'admin' } as const] : []),
  { path: '/settings/export', name: 'Export', permission: 'read' },
  { path: '/settings/node', name: 'This node', permission: 'read' },
];

interface SettingsFrameProps {
  /** The main button. */
  readonly act?: ComponentChildren;
  readonly children: ComponentChildren;
}

export function SettingsFrame({ act, children }: SettingsFrameProps) {
  return (
    <>
      <Head title="Settings">{act}</Head>
      <SubPlaces label="Places in Settings" places={PLACES} />
      <div class="stack">{children}</div>
    </>
  );
}
