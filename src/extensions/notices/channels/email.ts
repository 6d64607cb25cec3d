/** E-mail through the server that the operator named, as text and as HTML. */
import { z } from 'zod';
import { Fault } from '../../../../protocol/wire/fault.ts';
import type { Channel, OutgoingNotice } from './channel.ts';

/** The longest address that a mail server takes (RFC 5321 §4.5.3.1.3, without the angle brackets). */
const LONGEST = 254;

const Input = z.object({
  kind: z.literal('email'),
  address: z
    .string()
    .trim()
    .max(LONGEST)
    .pipe(z.email('must be an e-mail address'))
    .describe('Nothing but a code is sent there until the code is given back.'),
});

export const email = {
  kind: 'email',
  input: Input,
  keep({ mailer }, { address }) {
    if (mailer === undefined) {
      throw new Fault(
        'CONFLICT',
        'This node sends no mail: its operator sets SMTP_URL and SMTP_FROM first, as the guide to notifications says.',
      );
    }
    return { url: 'mailto:', address };
  },
  show: ({ address = '' }) => address,
  compose: ({ settings: { baseUrl } }, { address }, notice) => ({
    to: address as string,
    subject: notice.title,
    text: textOf(baseUrl, notice),
    html: htmlOf(baseUrl, notice),
    messageId: `${notice.id}@${new URL(baseUrl).hostname.replace(/[^\w.-]/g, '')}`,
    attachments: notice.attachment === undefined ? [] : [notice.attachment],
  }),
  removedBy: [],
  // A mailbox that is not there is told by the server's reply to the recipient, and not by a code alone.
  endedBy: [],
} as const satisfies Channel<z.output<typeof Input>>;

const ADVICE = 'Nothing is decided by an answer to this mail. Approving takes a touch of your passkey.';

function textOf(baseUrl: string, { title, body, link, act }: OutgoingNotice): string {
  return `${title}\n\n${body}\n\n${act}:\n${link}\n\n-- \n${ADVICE}\nWhere notifications go: ${settingsAt(baseUrl)}\n`;
}

function settingsAt(baseUrl: string): string {
  return `${baseUrl}/console/#/settings`;
}

const FONT = 'font-family:-apple-system,BlinkMacSystemFont,Segoe UI,Roboto,Helvetica,Arial,sans-serif';

/** Styles stand in the elements, since mail programs drop sheets; no image and no script is loaded. */
function htmlOf(baseUrl: string, { title, body, link, act }: OutgoingNotice): string {
  const paragraphs = body.split('\n').map((line) => (line === '' ? '&nbsp;' : escaped(line)));
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escaped(title)}</title></head>
<body style="margin:0;padding:24px 12px;background:#f4f3ef;color:#1c1d1a;${FONT}">
<div style="max-width:520px;margin:0 auto;background:#ffffff;border:1px solid #e2e0d8;border-radius:12px;padding:28px 28px 24px">
<p style="margin:0 0 20px;font-size:13px;color:#5c5e57">Countersign</p>
<h1 style="margin:0 0 12px;font-size:22px;line-height:1.3;font-weight:600">${escaped(title)}</h1>
<p style="margin:0 0 24px;font-size:16px;line-height:1.5;word-break:break-word">${paragraphs.join('<br>')}</p>
<p style="margin:0 0 20px"><a href="${escaped(link)}" style="display:inline-block;background:#1f6f54;color:#ffffff;text-decoration:none;font-size:16px;font-weight:600;padding:13px 22px;border-radius:8px">${escaped(act)}</a></p>
<p style="margin:0;font-size:13px;line-height:1.5;color:#5c5e57;word-break:break-all">${escaped(link)}</p>
</div>
<p style="max-width:520px;margin:16px auto 0;font-size:13px;line-height:1.5;color:#5c5e57">${ADVICE} <a href="${escaped(settingsAt(baseUrl))}" style="color:#5c5e57">Where notifications go</a></p>
</body></html>
`;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}
