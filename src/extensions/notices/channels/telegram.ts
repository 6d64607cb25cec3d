/** Telegram: a message of a bot, whose button opens the link. */
import { z } from 'zod';
import { Fault } from '../../../../protocol/wire/fault.ts';
import { isLoopback } from '../../../access/clientAddress.ts';
import { faultOfTarget } from '../../../fetch/target.ts';
import { type Channel, jsonRequest } from './channel.ts';
import { shortened } from './serviceAddress.ts';

const API = 'https://api.telegram.org/';

const Input = z.object({
  kind: z.literal('telegram'),
  token: z
    .string()
    .regex(/^\d{1,20}:[\w-]{20,100}$/, 'must be the token that @BotFather gave, such as 1234:ABC…')
    .describe('The bot’s token. It is a secret, and shown no more.'),
  chatId: z
    .string()
    .regex(/^(-?\d{1,20}|@\w{4,32})$/, 'must be the id of a chat, or @ and the name of a channel')
    .describe('The chat that the bot writes to.'),
  apiUrl: z
    .string()
    .max(200)
    .optional()
    .describe('Of a Bot API server on this machine; only where the node lets webhooks lead to private addresses.'),
});

export const telegram = {
  kind: 'telegram',
  input: Input,
  keep({ settings: { webhookAllowPrivate: allowPrivate } }, { token, chatId, apiUrl }) {
    const isOwn = allowPrivate && apiUrl !== undefined && URL.canParse(apiUrl) && isLoopback(apiUrl);
    if (apiUrl !== undefined && (!isOwn || faultOfTarget(apiUrl, { allowPrivate }) !== undefined)) {
      const message = `must be left out, for ${API}`;
      throw new Fault('BAD_REQUEST', `The apiUrl ${message}.`, [{ path: 'apiUrl', message }]);
    }
    return { url: apiUrl === undefined ? API : `${new URL(apiUrl).origin}/`, token, address: chatId };
  },
  show: ({ url, address }) => shortened(url, address),
  compose: (_deps, { url, token, address }, { title, body, link, act }) => {
    // Telegram refuses buttons to addresses that are not public.
    const isPublic = faultOfTarget(link, { allowPrivate: false }) === undefined;
    const buttons = { reply_markup: { inline_keyboard: [[{ text: act, url: link }]] } };
    return jsonRequest(`${url}bot${token}/sendMessage`, {
      chat_id: address,
      // Without a parse_mode nothing in it is markup.
      text: `${title}\n${body}${isPublic ? '' : `\n${link}`}`,
      link_preview_options: { is_disabled: true },
      ...(isPublic ? buttons : {}),
    });
  },
  removedBy: [],
  // The token was revoked; the person has blocked the bot; there is no such bot.
  endedBy: [401, 403, 404],
} as const satisfies Channel<z.output<typeof Input>>;
