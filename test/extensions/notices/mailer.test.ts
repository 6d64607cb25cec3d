/** Mail to a server: over TLS wherever it goes, and each way in which a server can fail, as a reply and never a rejection. */
import assert from 'node:assert/strict';
import { createServer } from 'node:net';
import { test } from 'node:test';
import { mailer, type MailServer as Server, transportOptions } from '../../../src/extensions/notices/mail/mailer.ts';
import { freePort } from '../../support/child.ts';
import { startMailServer } from '../../support/mailServer.ts';

const at = (port: number, more: Partial<Server> = {}): Server => ({
  host: '127.0.0.1',
  port,
  isTls: false,
  user: undefined,
  password: undefined,
  from: 'node@mail.example',
  ...more,
});
const MAIL = {
  to: 'ada@mail.example',
  subject: 'Approval needed',
  text: 'text',
  html: '<p>text</p>',
  messageId: 'evt_1.ntc_1@node.example',
  attachments: [],
};

test('a server on another machine gets no password and no mail before TLS, and one on this machine may', () => {
  for (const host of ['mail.example', '10.0.0.5', 'localhost.example', '127.0.0.1.example', '::2']) {
    assert.equal(transportOptions(at(587, { host })).requireTLS, true, host);
  }
  for (const host of ['127.0.0.1', 'localhost', '::1']) {
    assert.equal(transportOptions(at(25, { host })).requireTLS, false, host);
  }
  assert.deepEqual(
    [
      transportOptions(at(465, { host: 'mail.example', isTls: true })).secure,
      transportOptions(at(465)).disableFileAccess,
    ],
    [true, true],
  );
});

test('what a server answers is told by its code, and a recipient that it does not know as one', async () => {
  const server = await startMailServer({ user: 'node', password: 'right' });
  try {
    const login = { user: 'node', password: 'right' };
    const right = mailer(at(server.port, login));
    const taken = await right.send(MAIL);
    assert.deepEqual([taken.code, taken.failure], [250, undefined]);
    server.mailCode = 554;
    const refused = await right.send(MAIL);
    assert.deepEqual([refused.code, refused.failure, refused.refusesRecipient], [554, 'status', false]);
    server.recipientCode = 550;
    assert.equal((await right.send(MAIL)).refusesRecipient, true);
    server.recipientCode = 451;
    assert.equal((await right.send(MAIL)).refusesRecipient, false);
    const wrong = await mailer(at(server.port, { ...login, password: 'wrong' })).send(MAIL);
    assert.deepEqual([wrong.code, wrong.failure], [535, 'status']);
  } finally {
    await server.close();
  }
});

test('a server that is not there, speaks no TLS or has no name is told as what it is', async () => {
  const server = await startMailServer();
  try {
    assert.equal((await mailer(at(await freePort())).send(MAIL)).failure, 'refused');
    assert.equal((await mailer(at(server.port, { isTls: true })).send(MAIL)).failure, 'tls');
    assert.equal((await mailer(at(25, { host: 'mail.invalid' })).send(MAIL)).failure, 'dns');
  } finally {
    await server.close();
  }
});

test('a server that hangs up is told as a connection that ended', async () => {
  const server = createServer((socket) => socket.destroy());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()));
  const { port } = server.address() as { port: number };
  try {
    const { code, failure } = await mailer(at(port)).send(MAIL);
    assert.deepEqual([code, failure], [0, 'reset']);
  } finally {
    server.close();
  }
});

test('no line break in what a mail is made of begins a header', async () => {
  const server = await startMailServer();
  try {
    const subject = 'Hello\r\nBcc: eve@mail.example\r\n\r\n<p>';
    await mailer(at(server.port)).send({ ...MAIL, subject });
    const [mail] = server.received;
    assert.deepEqual([mail?.to, mail?.headers.has('bcc')], [['ada@mail.example'], false]);
  } finally {
    await server.close();
  }
});
