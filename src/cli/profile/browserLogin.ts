/** A login by the browser, where the person's passkey is: it brings the code to this computer's own address (RFC 8252 section 7.3). */
import { spawn } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { hostname } from 'node:os';
import { Failure } from '../commandFailure.ts';
import { askForSession, type LoginSession } from './keptLogin.ts';

/** How long a person has to find their passkey. */
const PATIENCE_MS = 5 * 60_000;

/** @param url of the node @param show is told the address to open @param opens whether a browser is started */
export async function logInByBrowser(
  url: string,
  show: (address: string) => void,
  opens: boolean,
): Promise<LoginSession> {
  const verifier = randomBytes(32).toString('base64url');
  const state = randomBytes(24).toString('base64url');
  const { port, code, close } = await waitForCode(state);
  try {
    const challenge = createHash('sha256').update(verifier).digest('base64url');
    const asked = new URLSearchParams({ port: String(port), challenge, state, host: hostname() });
    const address = `${url}/console/#/allow?${asked}`;
    show(address);
    if (opens) openBrowser(address);
    return await askForSession(url, '/ap2/auth/programs/complete', { body: { code: await code, verifier } });
  } finally {
    close();
  }
}

interface PendingLogin {
  readonly port: number;
  readonly code: Promise<string>;
  close(): void;
}

/** Listens on this computer alone, for what names the state of this login. */
async function waitForCode(state: string): Promise<PendingLogin> {
  let take = (_code: string) => {};
  let fail = (_cause: Error) => {};
  const code = new Promise<string>((resolve, reject) => {
    take = resolve;
    fail = reject;
  });
  // It may fail before it is waited for.
  code.catch(() => {});
  const server = createServer((request, response) => {
    const { searchParams } = new URL(request.url ?? '/', 'http://127.0.0.1');
    const given = searchParams.get('state') === state ? searchParams.get('code') : null;
    const [status, text] = given === null ? [400, UNKNOWN] : [200, DONE];
    response.writeHead(status, {
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'",
      'Referrer-Policy': 'no-referrer',
      'Cache-Control': 'no-store',
      Connection: 'close',
    });
    response.end(page(text), () => given !== null && take(given));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const limit = setTimeout(
    () =>
      fail(
        new Failure('Nothing was allowed within 5 minutes; run countersign login again.', {
          code: 'FAILED',
          exitCode: 1,
        }),
      ),
    PATIENCE_MS,
  );
  return {
    port: (server.address() as AddressInfo).port,
    code,
    close() {
      clearTimeout(limit);
      server.close();
    },
  };
}

const DONE = '<h1>The command line is logged in</h1><p>You may close this page.</p>';
const UNKNOWN = '<h1>This is not the login that was asked for</h1><p>Run <code>countersign login</code> again.</p>';

function page(body: string): string {
  const style =
    'body{font:16px/1.5 system-ui,sans-serif;max-width:30rem;margin:15vh auto;padding:0 1rem}h1{font-size:1.4rem}';
  return `<!doctype html><html lang="en"><meta charset="utf-8"><title>Countersign</title><style>${style}</style>${body}</html>`;
}

const OPENERS: Readonly<Partial<Record<NodeJS.Platform, string>>> = { linux: 'xdg-open', darwin: 'open' };

/** Where there is no browser, the person opens the address that was shown. */
function openBrowser(address: string): void {
  const program = OPENERS[process.platform];
  if (program === undefined) return;
  const child = spawn(program, [address], { stdio: 'ignore', detached: true });
  child.on('error', () => {});
  child.unref();
}
