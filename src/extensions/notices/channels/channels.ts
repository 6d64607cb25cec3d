/** Every service that notifications go through. */
import type { Channel, NotificationChannel } from './channel.ts';
import { discord } from './discord.ts';
import { email } from './email.ts';
import { plain } from './plain.ts';
import { slack } from './slack.ts';
import { teams } from './teams.ts';
import { telegram } from './telegram.ts';
import { webPush } from './webPush.ts';

export const CHANNELS = { webPush, plain, email, slack, discord, teams, telegram } as const;

/** The channel of a kind, for what does not depend on what its places are made of. */
export function channelOf(kind: NotificationChannel['kind']): Omit<Channel<never>, 'input' | 'keep'> {
  return CHANNELS[kind];
}
