/** Every screen: its address, its name, who may see it, and how it is loaded. */
import type { ComponentType } from 'preact';
import { EXTENSION_SCREENS } from '../extensionScreens.ts';
import type { OwnPermission } from '../login/may.ts';
import { may } from '../login/may.ts';
import { runsWith } from '../node/here.ts';
import type { IconName } from '../parts/Icon.tsx';
import type { BUILD_PLACES } from '../screens/build/buildPlaces.ts';
import type { PRINCIPALS_PLACES } from '../screens/principals/principalsPlaces.ts';
import type { RECORDS_PLACES } from '../screens/recordsPlaces.ts';
import type { SETTINGS_PLACES } from '../screens/settings/settingsPlaces.ts';
import { match } from './places.ts';

export interface ScreenProps {
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
}

export interface Screen {
  readonly pattern: string;
  readonly title: string;
  readonly permission: OwnPermission;
  /** Where it stands in the navigation, and by which icon. */
  readonly icon?: IconName;
  /** On a phone it stands below; the others are behind "More". */
  readonly isFrequent?: true;
  /** What it is called among the places of the screen above it. */
  readonly tab?: string;
  readonly load: () => Promise<ComponentType<ScreenProps>>;
}

/** What an extension has in the console; shown, and loaded, where the node runs with it. */
export interface ExtensionScreens {
  readonly extension: string;
  readonly screens: readonly Screen[];
  readonly cards?: readonly ExtensionCard[];
}

/** A card on a screen of the console, of the agent or principal that the screen is of. */
export interface ExtensionCard extends Pick<Screen, 'permission'> {
  /** The pattern of the screen. */
  readonly on: string;
  readonly load: () => Promise<ComponentType<{ readonly did: string }>>;
}

const ofBuild = async (name: keyof typeof BUILD_PLACES): Promise<ComponentType<ScreenProps>> =>
  (await import('../screens/build/buildPlaces.ts')).BUILD_PLACES[name];

const ofPrincipals = async (name: keyof typeof PRINCIPALS_PLACES): Promise<ComponentType<ScreenProps>> =>
  (await import('../screens/principals/principalsPlaces.ts')).PRINCIPALS_PLACES[name];

const ofRecords = async (name: keyof typeof RECORDS_PLACES): Promise<ComponentType<ScreenProps>> =>
  (await import('../screens/recordsPlaces.ts')).RECORDS_PLACES[name];

const ofSettings = async (name: keyof typeof SETTINGS_PLACES): Promise<ComponentType<ScreenProps>> =>
  (await import('../screens/settings/settingsPlaces.ts')).SETTINGS_PLACES[name];

const KERNEL: readonly Screen[] = [
  {
    pattern: '/',
    title: 'Today',
    permission: 'read',
    icon: 'today',
    isFrequent: true,
    load: () => import('../screens/today/Today.tsx').then(({ Today }) => Today),
  },
  {
    pattern: '/approvals',
    title: 'Approvals',
    permission: 'read',
    icon: 'approvals',
    isFrequent: true,
    load: () =>
      import('../screens/approvals/approvalsPlaces.ts').then(({ APPROVALS_PLACES }) => APPROVALS_PLACES.Approvals),
  },
  {
    pattern: '/approvals/:id',
    title: 'Approval',
    permission: 'read',
    load: () =>
      import('../screens/approvals/approvalsPlaces.ts').then(({ APPROVALS_PLACES }) => APPROVALS_PLACES.OneApproval),
  },
  {
    pattern: '/payments',
    title: 'Payments',
    permission: 'read',
    icon: 'payments',
    isFrequent: true,
    load: () => ofRecords('Payments'),
  },
  {
    pattern: '/payments/:id',
    title: 'Payment',
    permission: 'read',
    load: () => ofRecords('OnePayment'),
  },
  {
    pattern: '/decisions',
    title: 'Decisions',
    permission: 'read',
    icon: 'decisions',
    load: () => ofRecords('Decisions'),
  },
  {
    pattern: '/decisions/:id',
    title: 'Decision',
    permission: 'read',
    load: () => ofRecords('OneDecision'),
  },
  {
    pattern: '/agents',
    title: 'Agents',
    permission: 'read',
    icon: 'agents',
    isFrequent: true,
    load: () => import('../screens/agents/agentsPlaces.ts').then(({ AGENTS_PLACES }) => AGENTS_PLACES.Agents),
  },
  {
    pattern: '/agents/new',
    title: 'Add an agent',
    permission: 'admin',
    load: () => import('../screens/agents/agentsPlaces.ts').then(({ AGENTS_PLACES }) => AGENTS_PLACES.AddAgent),
  },
  {
    pattern: '/agents/:did',
    title: 'Agent',
    permission: 'read',
    load: () => import('../screens/agents/agentsPlaces.ts').then(({ AGENTS_PLACES }) => AGENTS_PLACES.OneAgent),
  },
  {
    pattern: '/principals',
    title: 'Whose money',
    permission: 'admin',
    icon: 'principals',
    load: () => ofPrincipals('Principals'),
  },
  {
    pattern: '/principals/new',
    title: 'Add a person or company',
    permission: 'admin',
    load: () => ofPrincipals('AddPrincipal'),
  },
  {
    pattern: '/principals/:did',
    title: 'Whose money',
    permission: 'admin',
    load: () => ofPrincipals('OnePrincipal'),
  },
  {
    pattern: '/policy',
    title: 'Policy',
    permission: 'read',
    icon: 'policy',
    load: () => import('../screens/policy/policyPlaces.ts').then(({ POLICY_PLACES }) => POLICY_PLACES.PolicyScreen),
  },
  {
    pattern: '/policy/draft',
    title: 'Policy draft',
    permission: 'read',
    load: () => import('../screens/policy/policyPlaces.ts').then(({ POLICY_PLACES }) => POLICY_PLACES.DraftScreen),
  },
  {
    pattern: '/policy/versions/:id/:version',
    title: 'Policy version',
    permission: 'read',
    load: () => import('../screens/policy/policyPlaces.ts').then(({ POLICY_PLACES }) => POLICY_PLACES.OneVersion),
  },
  {
    pattern: '/evidence',
    title: 'Evidence',
    permission: 'read',
    icon: 'evidence',
    load: () => ofRecords('Evidence'),
  },
  {
    pattern: '/build',
    title: 'Build',
    permission: 'read',
    icon: 'build',
    tab: 'Start',
    load: () => ofBuild('Build'),
  },
  {
    pattern: '/build/keys',
    title: 'API keys',
    permission: 'admin',
    tab: 'API keys',
    load: () => ofBuild('ApiKeys'),
  },
  {
    pattern: '/build/webhooks',
    title: 'Webhooks',
    permission: 'admin',
    tab: 'Webhooks',
    load: () => ofBuild('Webhooks'),
  },
  {
    pattern: '/build/webhooks/new',
    title: 'Add a webhook',
    permission: 'admin',
    load: () => ofBuild('AddWebhook'),
  },
  {
    pattern: '/build/webhooks/:id',
    title: 'Webhook',
    permission: 'admin',
    load: () => ofBuild('OneWebhook'),
  },
  {
    pattern: '/build/events',
    title: 'Live events',
    permission: 'read',
    tab: 'Events',
    load: () => ofBuild('Events'),
  },
  {
    pattern: '/settings',
    title: 'Settings',
    permission: 'read',
    icon: 'settings',
    tab: 'You',
    load: () => ofSettings('Settings'),
  },
  {
    pattern: '/settings/people',
    title: 'People',
    permission: 'admin',
    tab: 'People',
    load: () => ofSettings('PeopleAndInvitations'),
  },
  {
    pattern: '/settings/merchants',
    title: 'Merchants',
    permission: 'admin',
    tab: 'Merchants',
    load: () => ofSettings('Merchants'),
  },
  {
    pattern: '/settings/instruments',
    title: 'Payment methods',
    permission: 'admin',
    tab: 'Payment methods',
    load: () => ofSettings('Instruments'),
  },
  {
    pattern: '/settings/health',
    title: 'Health',
    permission: 'admin',
    tab: 'Health',
    load: () => ofSettings('Health'),
  },
  {
    pattern: '/settings/export',
    title: 'Export',
    permission: 'read',
    tab: 'Export',
    load: () => ofSettings('Export'),
  },
  {
    pattern: '/settings/node',
    title: 'This node',
    permission: 'read',
    tab: 'This node',
    load: () => ofSettings('ThisNode'),
  },
  {
    pattern: '/allow',
    title: 'Log in the command line',
    permission: 'read',
    load: () => ofSettings('AllowProgram'),
  },
];

const ON = EXTENSION_SCREENS.filter(({ extension }) => runsWith(extension));

export const SCREENS: readonly Screen[] = [...KERNEL, ...ON.flatMap(({ screens }) => screens)];

export const CARDS: readonly ExtensionCard[] = ON.flatMap(({ cards = [] }) => cards);

/** The extension that has a screen at that address, on a node that may run without it. */
export function extensionAt(path: string): string | undefined {
  return EXTENSION_SCREENS.find(({ screens }) => screens.some(({ pattern }) => match(pattern, path)))?.extension;
}

/** The first screen of that address, where the person may see it: who may not is not led to another. */
export function screenAt(path: string) {
  const matched = SCREENS.map((screen) => ({ screen, params: match(screen.pattern, path) })).find(
    ({ params }) => params !== undefined,
  );
  return matched !== undefined && may(matched.screen.permission) ? matched : undefined;
}
