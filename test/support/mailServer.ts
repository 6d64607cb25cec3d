/** A mail server of this machine: it keeps every mail that it takes, and refuses on request. */
import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';

export interface ReceivedMail {
  /** The envelope's. */
  readonly to: readonly string[];
  /** As it was sent: headers, a blank line, and the body. */
  readonly raw: string;
  /** The headers by their names in lower case, each on one line. */
  readonly headers: ReadonlyMap<string, string>;
  readonly login: string | undefined;
}

export interface MailServer {
  /** smtp://127.0.0.1:port */
  readonly url: string;
  readonly port: number;
  readonly received: ReceivedMail[];
  /** The reply code to a recipient; 250 takes the mail. */
  recipientCode: number;
  /** The reply code once a mail is whole. */
  mailCode: number;
  /** Called with a whole mail before the server answers. */
  onMail: () => Promise<void>;
  /** Resolves with what fits, once there are so many of it. */
  wait(count: number, fits?: (mail: ReceivedMail) => boolean): Promise<ReceivedMail[]>;
  close(): Promise<void>;
}

/** @param login the only one that is let in; none is asked for where it is not given */
export async function startMailServer(login?: { user: string; password: string }, port = 0): Promise<MailServer> {
  const received: ReceivedMail[] = [];
  const refused = (code: number) => Object.assign(new Error('Refused on request.'), { responseCode: code });
  const server = new SMTPServer({
    disabledCommands: login === undefined ? ['STARTTLS', 'AUTH'] : ['STARTTLS'],
    authOptional: login === undefined,
    allowInsecureAuth: true,
    onAuth(auth, _session, done) {
      const isRight = auth.username === login?.user && auth.password === login?.password;
      done(isRight ? null : new Error('Wrong password.'), isRight ? { user: auth.username } : undefined);
    },
    onRcptTo: (_address, _session, done) => done(mail.recipientCode === 250 ? null : refused(mail.recipientCode)),
    onData(stream, session, done) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', async () => {
        await mail.onMail();
        if (mail.mailCode !== 250) return done(refused(mail.mailCode));
        const raw = Buffer.concat(chunks).toString('utf8');
        received.push({
          to: session.envelope.rcptTo.map(({ address }) => address),
          raw,
          headers: headersOf(raw),
          login: session.user as string | undefined,
        });
        done(null, 'taken');
      });
    },
  });
  // A client that goes away in the middle is no fault of a test.
  server.on('error', () => {});
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', () => resolve()));
  const bound = (server.server.address() as AddressInfo).port;
  const mail: MailServer = {
    url: `smtp://127.0.0.1:${bound}`,
    port: bound,
    received,
    recipientCode: 250,
    mailCode: 250,
    onMail: async () => {},
    async wait(count, fits = () => true) {
      for (let waited = 0; ; waited += 10) {
        const found = received.filter(fits);
        if (found.length >= count) return found;
        if (waited >= 10_000) throw new Error(`${found.length} of ${count} mails arrived within 10 s.`);
        await new Promise((resolve) => setTimeout(resolve, 10));
      }
    },
    close: () => new Promise<void>((resolve) => server.close(() => resolve())),
  };
  return mail;
}

function headersOf(raw: string): Map<string, string> {
  const [head = ''] = raw.split('\r\n\r\n');
  const lines = head.replace(/\r\n[ \t]+/g, ' ').split('\r\n');
  return new Map(
    lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 2)]),
  );
}

/** The parts of a mail as their readers see them, decoded from base64 or quoted-printable; first what is before them. */
export function textsOf({ raw }: ReceivedMail): string[] {
  const boundaries = [...raw.matchAll(/boundary="([^"]+)"/g)].map(([, boundary]) => `\r\n--${boundary}`);
  const parts = boundaries.reduce((all, boundary) => all.flatMap((part) => part.split(boundary)), [raw]);
  return parts
    .filter((part) => !/^\s*(--)?\s*$/.test(part) && !/content-type: multipart\/alternative/i.test(part.slice(0, 200)))
    .map((part) => {
      const at = part.indexOf('\r\n\r\n');
      return decoded(part.slice(0, at), part.slice(at + 4)).replaceAll('\r\n', '\n');
    });
}

function decoded(head: string, body: string): string {
  if (/transfer-encoding: base64/i.test(head)) return Buffer.from(body, 'base64').toString('utf8');
  return /transfer-encoding: quoted-printable/i.test(head) ? fromQuoted(body) : body;
}

function fromQuoted(text: string): string {
  const bytes = text
    .replace(/=\r\n/g, '')
    .replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(bytes, 'latin1').toString('utf8');
}
