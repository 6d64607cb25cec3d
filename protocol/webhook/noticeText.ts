/**
 * Notifications to the people behind agents: short texts about what happened, shown by a browser or another program that they
 * chose. Amounts and merchants are left out unless the person asked for them, since a locked screen can be read by others.
 */
import { z } from 'zod';
import { formatAmount } from '../money.ts';
import { linklessText } from '../wire/plainText.ts';
import { type Digest, digestText } from './digest.ts';
import type { WebhookEvent } from './event.ts';

export const NOTICE_TOPICS = ['approvals', 'disputes', 'agents', 'payments', 'digest', 'passkey.added'] as const;
export type NoticeTopic = (typeof NOTICE_TOPICS)[number];

/** The event that each topic is about; a digest is of many. */
export const EVENT_OF_TOPIC = {
  approvals: 'approval.requested',
  disputes: 'payment.disputed',
  agents: 'agent.suspended',
  payments: 'payment.authorized',
  digest: 'notice.digest',
  'passkey.added': 'passkey.added',
} as const satisfies Record<NoticeTopic, WebhookEvent['type'] | Digest['type'] | AddedPasskey['type']>;

/** What is stored in place of an event to try a way out. */
export const TRIAL = { type: 'notice.trial' } as const;

/** Told to a user, wherever their notifications go, when a link was made that gives them another passkey. */
interface PasskeyLink {
  readonly type: 'notice.passkey_link';
  /** ISO 8601 */
  readonly expiresAt: string;
}

/** Told to the people concerned, wherever their notifications go, when a passkey was enrolled that approves for an agent or a principal. */
interface AddedPasskey {
  readonly type: 'passkey.added';
  /** What people call the agent or the principal. */
  readonly name: string;
  readonly holder: { readonly kind: 'agent' | 'principal'; readonly did: string };
  /** A credential is a wallet's or a card's, whose signature counts as a touch. */
  readonly what: 'passkey' | 'credential';
}

/** What is stored to have an address confirmed; the code itself is kept with the place alone. */
export const CONFIRMATION = { type: 'notice.confirmation' } as const;

/** Told to a user whose turn has come, since an approval is not decided. */
export interface EscalationNotice {
  readonly type: 'notice.escalation';
  readonly context: { readonly agentDid: string };
  readonly data: Readonly<Record<string, unknown>>;
}

/** What a person is told of without having chosen it. */
export type PersonNotice = PasskeyLink | AddedPasskey | EscalationNotice;

/** What is told to one person, by their own wish too. */
export type OwnNotice = typeof TRIAL | typeof CONFIRMATION | PersonNotice | Digest;

/** Those that are about no agent. */
const PLAIN: readonly string[] = [
  TRIAL.type,
  CONFIRMATION.type,
  'notice.passkey_link',
  'notice.digest',
  'passkey.added',
];

/** Whether it is about no agent, and so needs no name of one. */
export function isPlainNotice(event: WebhookEvent | OwnNotice): event is Exclude<OwnNotice, EscalationNotice> {
  return PLAIN.includes(event.type);
}

export const Notice = z.object({
  title: z.string(),
  body: z.string(),
  /** Where the console shows it: what follows the `#`. */
  path: z.string(),
  /** The approval that it asks for, whose page its link opens. */
  approvalId: z.string().optional(),
  /** Where the console shows the agent that it is about. */
  agentPath: z.string().optional(),
  /** A later notice with the same tag takes its place. */
  tag: z.string(),
  /** ISO 8601; the notice is of no use after that. */
  until: z.string().optional(),
  /** A file that goes with a mail. */
  attachment: z.object({ fileName: z.string(), mediaType: z.string(), content: z.string() }).optional(),
});
export type Notice = z.infer<typeof Notice>;

interface NoticeOptions {
  /** What people call the agent; its DID where it has no name here. */
  readonly agent: string | undefined;
  /** Whether amounts and merchants may be told. */
  readonly details: boolean;
  /** By which an address is confirmed. */
  readonly code?: string | undefined;
}

/** @returns undefined for an event that no topic is about */
export function noticeOf(
  event: WebhookEvent | OwnNotice,
  { agent: name = '', details, code = '' }: NoticeOptions,
): Notice | undefined {
  if (event.type === TRIAL.type) {
    return {
      title: 'Notifications arrive here',
      body: 'This is a trial; nothing has happened.',
      path: '/settings',
      tag: 'trial',
    };
  }
  if (event.type === 'notice.passkey_link') {
    return {
      title: 'A new passkey for you',
      body: 'A link was made that adds a passkey to your account. If you did not ask for it, tell an OWNER at once.',
      path: '/settings',
      tag: event.type,
      until: event.expiresAt,
    };
  }
  if (event.type === 'passkey.added') {
    const { kind, did } = event.holder;
    return {
      title: `A ${event.what} was added`,
      body: `A ${event.what} was added that approves purchases for ${event.name}. If you did not expect it, remove it and freeze the agents.`,
      path: `/${kind === 'agent' ? 'agents' : 'principals'}/${encodeURIComponent(did)}`,
      tag: `passkey ${did}`,
    };
  }
  if (event.type === CONFIRMATION.type) {
    return {
      title: 'Confirm this address',
      body: `A user of this node wants notifications here. The code that confirms it is ${code}. If that was not you, leave it: nothing more is sent here.`,
      path: '/settings',
      tag: event.type,
    };
  }
  if (event.type === 'notice.digest') {
    return { title: 'What your agents bought this week', body: digestText(event, details), path: '/', tag: event.type };
  }
  const data = event.data as Facts;
  const agentPath = agentPathOf(event.context.agentDid ?? data.agentDid);
  const agent = linklessText(name) || 'An agent';
  const text = TEXTS[event.type]?.(data, agent, details);
  return text && { ...text, ...agentPath };
}

interface Facts {
  readonly amount?: number;
  readonly currency?: string;
  readonly merchant?: string;
  readonly approvalId?: string;
  readonly mandateId?: string;
  readonly agentDid?: string;
  readonly expiresAt?: string;
  readonly reminder?: boolean;
}

type Text = (data: Facts, agent: string, details: boolean) => Notice;

const TEXTS: Readonly<Partial<Record<WebhookEvent['type'] | EscalationNotice['type'], Text>>> = {
  'notice.escalation': (data, agent, details) => ({
    ...approvalText(data, 'Approval not decided'),
    body: `${agent} wants to buy${what(data, details)}. The people who were asked first have not decided, so it is your turn.`,
  }),
  'approval.requested': (data, agent, details) => ({
    ...approvalText(data, data.reminder === true ? 'Approval still needed' : 'Approval needed'),
    body: `${agent} ${data.reminder === true ? 'still waits' : 'wants'} to buy${what(data, details)} and asks you.`,
  }),
  'payment.disputed': (data, agent, details) => ({
    title: 'A payment is disputed',
    body: `The bank disputes a payment of ${agent}${details ? `: ${money(data)}` : ''}.`,
    ...ofPayment(data),
  }),
  'payment.authorized': (data, agent, details) => ({
    title: 'A payment was made',
    body: `${agent} paid${details ? ` ${money(data)}${at(data)}` : ''}.`,
    ...ofPayment(data),
  }),
  'agent.suspended': (data, agent) => ({
    title: 'An agent is frozen',
    body: `${agent} can buy nothing until you reactivate it.`,
    path: `/agents/${encodeURIComponent(String(data.agentDid))}`,
    tag: `frozen ${data.agentDid}`,
  }),
};

function approvalText({ approvalId, expiresAt }: Facts, title: string): Omit<Notice, 'body'> {
  return {
    title,
    path: `/approvals/${encodeURIComponent(String(approvalId))}`,
    approvalId: String(approvalId),
    tag: String(approvalId),
    ...(expiresAt === undefined ? {} : { until: expiresAt }),
  };
}

/** What is bought, where it may be told. */
function what(data: Facts, details: boolean): string {
  return details ? ` for ${money(data)}${at(data)}` : '';
}

function ofPayment({ mandateId }: Facts): Pick<Notice, 'path' | 'tag'> {
  return { path: `/payments/${encodeURIComponent(String(mandateId))}`, tag: String(mandateId) };
}

function agentPathOf(did: string | undefined): Pick<Notice, 'agentPath'> {
  return did === undefined ? {} : { agentPath: `/agents/${encodeURIComponent(did)}` };
}

function money({ amount = 0, currency = '' }: Facts): string {
  return formatAmount(amount, currency);
}

function at({ merchant }: Facts): string {
  return merchant === undefined ? '' : ` at ${merchant}`;
}
