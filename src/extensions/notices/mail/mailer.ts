/** Sends mail through the one server that the operator named (RFC 5321, RFC 6409). */
import { isIP } from 'node:net';
import type { Transporter } from 'nodemailer';
import { type ExchangeFailure, failureOf } from '../../../fetch/failure.ts';

export interface MailServer {
  readonly host: string;
  readonly port: number;
  /** TLS from the first byte on; otherwise STARTTLS. */
  readonly isTls: boolean;
  /** Undefined where the server asks for no login. */
  readonly user: string | undefined;
  readonly password: string | undefined;
  /** The address that mail comes from. */
  readonly from: string;
}

export interface Mail {
  /** One address. */
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  /** Without the angle brackets; the same at each attempt, by which receivers know a mail that comes twice. */
  readonly messageId: string;
  readonly attachments: readonly Attachment[];
}

interface Attachment {
  readonly fileName: string;
  /** Such as `text/csv`. */
  readonly mediaType: string;
  readonly content: string;
}

/** How a mail went. */
export interface MailReply {
  /** The server's reply code (RFC 5321 §4.2), 250 where it took the mail; 0 where it gave none. */
  readonly code: number;
  readonly durationMs: number;
  readonly failure: ExchangeFailure | 'status' | undefined;
  /** Whether the server refused the mail for its recipient. */
  readonly refusesRecipient: boolean;
}

export interface Mailer {
  /** The server's name, which is no secret. */
  readonly host: string;
  /** Never rejects: a failure is part of the result. */
  send(mail: Mail): Promise<MailReply>;
  /** Ends what is under way, so that a server which hangs keeps no process from ending. */
  close(): void;
}

/** How long a whole mail may take, from the first step to the server's last word. */
const TIMEOUT_MS = 30_000;
const STEP_MS = 10_000;

export function mailer(server: MailServer): Mailer {
  let opening: Promise<Transporter> | undefined;
  const closing = new AbortController();
  return {
    host: server.host,
    async send(mail) {
      const started = performance.now();
      try {
        opening ??= open(server);
        const transport = await opening.catch((error: unknown) => {
          opening = undefined;
          throw error;
        });
        const signal = AbortSignal.any([closing.signal, AbortSignal.timeout(TIMEOUT_MS)]);
        await transport.sendMail({ ...messageOf(server, mail), signal });
        return { code: 250, durationMs: performance.now() - started, failure: undefined, refusesRecipient: false };
      } catch (error) {
        return { ...judge(error), durationMs: performance.now() - started };
      }
    },
    close: () => closing.abort(),
  };
}

async function open(server: MailServer): Promise<Transporter> {
  // Loaded where a mail is sent, since few nodes send any.
  const { createTransport } = await import('nodemailer');
  return createTransport(transportOptions(server));
}

/** What the library is given: TLS for every server that is not this machine itself, and short waits. */
export function transportOptions({ host, port, isTls, user, password = '' }: MailServer) {
  const isLocal = host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'));
  return {
    host,
    port,
    secure: isTls,
    requireTLS: !isTls && !isLocal,
    ...(user === undefined ? {} : { auth: { user, pass: password } }),
    tls: { minVersion: 'TLSv1.2' as const },
    connectionTimeout: STEP_MS,
    greetingTimeout: STEP_MS,
    dnsTimeout: STEP_MS,
    socketTimeout: STEP_MS * 2,
    // No part of a mail is a path or an address to load from.
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}

function messageOf({ from }: MailServer, { to, messageId, attachments, ...mail }: Mail) {
  return {
    ...mail,
    from: { name: 'Countersign', address: from },
    to: { name: '', address: to },
    messageId: `<${messageId}>`,
    // No program answers it (RFC 3834), and no answer to it decides anything.
    headers: { 'Auto-Submitted': 'auto-generated' },
    attachments: attachments.map(({ fileName, mediaType, content }) => ({
      filename: fileName,
      contentType: mediaType,
      content,
    })),
  };
}

interface SmtpError {
  readonly code?: string;
  readonly responseCode?: number;
  readonly command?: string;
}

/** The mailbox is not there, or takes no mail (RFC 5321 §4.2.3). */
const NO_MAILBOX: readonly number[] = [550, 551, 553];

function judge(error: unknown): Omit<MailReply, 'durationMs'> {
  const { code, responseCode = 0, command } = (error ?? {}) as SmtpError;
  const isTimeout = code === 'ETIMEDOUT' || code === 'EABORT' || (error as Error)?.name === 'TimeoutError';
  const failure = isTimeout ? 'timeout' : code === 'ETLS' ? 'tls' : failureOf(causeOf(error), false);
  return {
    code: responseCode,
    failure: responseCode > 0 ? 'status' : failure,
    refusesRecipient: command === 'RCPT TO' && NO_MAILBOX.includes(responseCode),
  };
}

/** The library has codes of its own in place of the system's, whose names are in its messages. */
function causeOf(error: unknown): unknown {
  const { code, message } = (error ?? {}) as { code?: string; message?: string };
  if (code === 'EDNS') return { code: 'ENOTFOUND' };
  if (code !== 'ESOCKET' && code !== 'ECONNECTION') return error;
  const named = /\bE[A-Z]{3,}\b/.exec(message ?? '')?.[0];
  if (named !== undefined) return { code: named };
  return { code: /certificate|\b(TLS|SSL)\b/i.test(message ?? '') ? 'EPROTO' : 'ECONNRESET' };
}
