/** The settings of the mail server that the node sends notifications through. */
import { z } from 'zod';
import type { MailServer } from './mailer.ts';

export const mailVariables = {
  SMTP_URL: z
    .string()
    .regex(/^smtps?:\/\/[^/?#\s]+\/?$/, 'must be smtp://user:password@host:587, or smtps:// for TLS from the start')
    .refine((text) => URL.canParse(text) && new URL(text).hostname !== '', 'must name a host')
    .optional(),
  SMTP_HOST: z
    .string()
    .regex(/^[A-Za-z0-9.:[\]-]+$/, 'must be the name or address of a mail server')
    .optional(),
  SMTP_PORT: z.coerce
    .number({ error: 'must be a port, 1 to 65535' })
    .int('must be a port, 1 to 65535')
    .min(1, 'must be a port, 1 to 65535')
    .max(65535, 'must be a port, 1 to 65535')
    .optional(),
  SMTP_USER: z.string().optional(),
  SMTP_PASSWORD: z.string().optional(),
  SMTP_FROM: z.email('must be an e-mail address alone, such as countersign@example.com').optional(),
} as const;

type MailValues = z.output<z.ZodObject<typeof mailVariables>>;

/** The port for submission with STARTTLS (RFC 6409), and the one with TLS from the start (RFC 8314). */
const PORTS = { smtp: 587, smtps: 465 } as const;

/** @returns undefined where the node sends no mail */
export function mailServerOf(values: MailValues): MailServer | undefined {
  const { SMTP_FROM: from } = values;
  const named = values.SMTP_URL === undefined ? ofParts(values) : ofUrl(values.SMTP_URL);
  return named === undefined || from === undefined ? undefined : { ...named, from };
}

type Server = Omit<MailServer, 'from'>;

function ofUrl(text: string): Server {
  const { protocol, hostname, port, username, password } = new URL(text);
  const isTls = protocol === 'smtps:';
  const user = decodeURIComponent(username);
  return {
    host: bare(hostname),
    port: port === '' ? PORTS[isTls ? 'smtps' : 'smtp'] : Number(port),
    isTls,
    user: user === '' ? undefined : user,
    password: user === '' ? undefined : decodeURIComponent(password),
  };
}

function ofParts({ SMTP_HOST: host, SMTP_PORT: port = PORTS.smtp, ...rest }: MailValues): Server | undefined {
  if (host === undefined) return undefined;
  const { SMTP_USER: user, SMTP_PASSWORD: password } = rest;
  return { host: bare(host), port, isTls: port === PORTS.smtps, user, password };
}

/** A host without the brackets of an IPv6 literal. */
function bare(host: string): string {
  return host.replace(/^\[|\]$/g, '');
}

/** One line a fault, naming variable and remedy; the secrets themselves are never shown. */
export function mailFaults(values: MailValues): string[] {
  const { SMTP_URL: url, SMTP_HOST: host, SMTP_FROM: from, SMTP_USER: user, SMTP_PASSWORD: password } = values;
  const faults: string[] = [];
  const parts = (['SMTP_HOST', 'SMTP_PORT', 'SMTP_USER', 'SMTP_PASSWORD'] as const).filter(
    (name) => values[name] !== undefined,
  );
  if (url !== undefined && parts.length > 0) {
    faults.push(`SMTP_URL=(hidden): ${parts.join(', ')} cannot be set beside it; leave one or the other out`);
  }
  if (url !== undefined && !isDecodable(url)) {
    faults.push('SMTP_URL=(hidden): has a % in user or password that is no escape; write it as %25');
  }
  const isNamed = url !== undefined || host !== undefined;
  if (isNamed && from === undefined) {
    const remedy = 'set it to the address that notifications come from';
    faults.push(`SMTP_FROM=: is missing beside ${url === undefined ? 'SMTP_HOST' : 'SMTP_URL'}; ${remedy}`);
  }
  if (!isNamed && (from !== undefined || parts.length > 0)) {
    const name = from === undefined ? (parts[0] as string) : 'SMTP_FROM';
    faults.push(`${name}=(hidden): does nothing without SMTP_URL or SMTP_HOST; set one of them too`);
  }
  if (user !== undefined && password === undefined) {
    faults.push('SMTP_PASSWORD=: is missing beside SMTP_USER; set both, or neither');
  }
  if (user === undefined && password !== undefined) {
    faults.push('SMTP_USER=: is missing beside SMTP_PASSWORD; set both, or neither');
  }
  return faults;
}

function isDecodable(url: string): boolean {
  try {
    const { username, password } = new URL(url);
    return decodeURIComponent(username + password) !== undefined;
  } catch {
    return false;
  }
}
