/** The services that notifications go through, in words: what each is called, what it asks for, and where that is found. */
import type { ChannelRecord } from '../../../notifications/thisBrowser.ts';

interface Service {
  readonly name: string;
  readonly address: { readonly label: string; readonly type: 'email' | 'url' | 'text'; readonly placeholder: string };
  readonly hint: string;
  readonly token?: { readonly label: string; readonly required: boolean };
}

export type ServiceKind = Exclude<ChannelRecord['kind'], 'webPush'>;

export const SERVICES: Readonly<Record<ServiceKind, Service>> = {
  email: {
    name: 'E-mail',
    address: { label: 'Address', type: 'email', placeholder: 'you@example.com' },
    hint: 'A code is sent there first, which you give back here.',
  },
  slack: {
    name: 'Slack',
    address: { label: 'Webhook URL', type: 'url', placeholder: 'https://hooks.slack.com/services/…' },
    hint: 'In Slack: your app → Incoming Webhooks → Add New Webhook. Everyone in the channel sees the notifications.',
  },
  discord: {
    name: 'Discord',
    address: { label: 'Webhook URL', type: 'url', placeholder: 'https://discord.com/api/webhooks/…' },
    hint: 'In Discord: the channel’s settings → Integrations → Webhooks → New Webhook → Copy Webhook URL.',
  },
  teams: {
    name: 'Microsoft Teams',
    address: { label: 'Webhook URL', type: 'url', placeholder: 'https://….api.powerplatform.com/…' },
    hint: 'In Teams: the channel’s menu → Workflows → “Send webhook alerts to a channel”. It shows the URL at its end.',
  },
  telegram: {
    name: 'Telegram',
    address: { label: 'Chat id', type: 'text', placeholder: '-1001234567890' },
    hint: 'Make a bot with @BotFather, write to it once, and find the chat’s id at api.telegram.org/bot…/getUpdates.',
    token: { label: 'The bot’s token', required: true },
  },
  plain: {
    name: 'ntfy',
    address: { label: 'Address', type: 'url', placeholder: 'https://ntfy.sh/your-own-topic' },
    hint: 'Takes a plain text by POST. Everyone who knows the name of a public topic can read it: choose one that cannot be guessed.',
    token: { label: 'Token (optional)', required: false },
  },
};
