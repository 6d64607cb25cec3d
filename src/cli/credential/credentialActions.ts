/** Prints mandates as they are handed to others, and verifies those that others bring. */
import { gunzipSync } from 'node:zlib';
import { checkForms } from '../../../protocol/credential/checkForms.ts';
import { canonicalDid } from '../../../protocol/credential/did.ts';
import { type CredentialStatus, checkStatus } from '../../../protocol/credential/statusList.ts';
import { Fault } from '../../../protocol/wire/fault.ts';
import { nativeSuite } from '../../crypto/nativeSuite.ts';
import { WrongUse } from '../commandFailure.ts';
import { readTextFile } from '../input/files.ts';
import { facts } from '../output/layout.ts';
import { print } from '../output/print.ts';
import type { TargetOptions } from '../target/targetOptions.ts';
import { withTarget } from '../target/withTarget.ts';

interface ShowOptions extends TargetOptions {
  readonly as?: 'vc' | 'vc+jwt';
}

export function showCredential(env: NodeJS.ProcessEnv, id: string, options: ShowOptions): Promise<void> {
  const { as } = options;
  return withTarget(env, options, async ({ client }) => {
    const credential = await client.showCredential(as === undefined ? { id } : { id, as });
    // What is printed goes into a file, or to another program.
    console.log(
      typeof credential === 'string'
        ? credential
        : JSON.stringify(credential, undefined, options.json === true ? 0 : 2),
    );
  });
}

interface VerifyOptions {
  readonly issuer?: string;
  /** Of the status list: a file, or its address. */
  readonly status?: string;
  readonly json?: boolean;
}

const TYPES = ['PaymentMandate', 'IntentMandate', 'CartMandate'] as const;

/** @throws WrongUse for a file that holds no mandate, and for an issuer that is no DID */
export async function verifyCredential(file: string, options: VerifyOptions): Promise<void> {
  const { issuer, status, json = false } = options;
  const credential = read(readTextFile(file), file);
  const list = status === undefined ? undefined : read(await textAt(status), status);
  const verdict = judge(credential, issuer === undefined ? undefined : didOf(issuer), list);
  print({ json }, verdict, told(verdict, issuer !== undefined));
  if (!verdict.valid) process.exitCode = 1;
}

interface Verdict {
  readonly valid: boolean;
  /** Why not, in a sentence. */
  readonly reason?: string;
  readonly type?: string;
  readonly form?: string;
  readonly issuer?: string;
  /** What its status list says, where one was given. */
  readonly status?: 'not revoked';
  readonly subject?: Readonly<Record<string, unknown>>;
}

/**
 * @param expected the issuer that it must have; undefined where any will do
 * @param list its status list; undefined where its status is not asked
 */
function judge(credential: unknown, expected: string | undefined, list: unknown): Verdict {
  const suite = nativeSuite();
  const checks = TYPES.map((type) => ({ type, check: checkForms(suite, credential, { type, now: Date.now() }) }));
  // Of several reasons the one that is not about the type.
  const isOfType = ({ check }: (typeof checks)[number]) => check.ok || !check.reason.includes('not of type');
  const { type, check } = checks.find(isOfType) ?? (checks[0] as (typeof checks)[number]);
  if (!check.ok) return { valid: false, reason: check.reason };
  const { form, issuer, subject, expired } = check;
  const shown = { type, form, issuer, subject };
  if (expected !== undefined && issuer !== expected) {
    return { valid: false, reason: `It was issued by ${issuer} and not by ${expected}.`, ...shown };
  }
  if (expired) return { valid: false, reason: 'It has expired.', ...shown };
  if (list === undefined) return { valid: true, ...shown };
  const reason = endOf(check, list);
  return reason === undefined ? { valid: true, status: 'not revoked', ...shown } : { valid: false, reason, ...shown };
}

/** How old a status list may be. */
const MAX_AGE_SECONDS = 300;

/** @returns why a mandate does not hold by a status list */
function endOf(mandate: { readonly status: CredentialStatus | undefined; readonly issuer: string }, list: unknown) {
  const { status, issuer } = mandate;
  const expected = { issuer, now: Date.now(), maxAgeSeconds: MAX_AGE_SECONDS, gunzip };
  const check = checkStatus(nativeSuite(), status, list, expected);
  if (!check.ok) return check.reason;
  return check.revoked ? 'It was revoked.' : undefined;
}

function gunzip(compressed: Uint8Array, most: number): Uint8Array | undefined {
  try {
    return gunzipSync(compressed, { maxOutputLength: most });
  } catch {
    return undefined;
  }
}

/** @throws WrongUse where an address gives no list */
async function textAt(place: string): Promise<string> {
  if (!/^https?:/.test(place)) return readTextFile(place);
  const answer = await fetch(place, { headers: { Accept: 'application/vc+jwt' } }).catch((error: Error) => error);
  if (answer instanceof Error) throw new WrongUse(`${place} cannot be reached: ${answer.message}.`);
  if (!answer.ok) throw new WrongUse(`${place} answers ${answer.status} in place of a status list.`);
  return answer.text();
}

function told({ valid, reason, type, form, issuer, status, subject = {} }: Verdict, isKnown: boolean): string {
  if (!valid) return `It does not hold: ${reason}`;
  const known = isKnown ? 'as you know it' : 'whose key signed it; --issuer says whether it is the node that you know';
  const members = Object.entries(subject).map(
    ([name, value]) => [name, typeof value === 'string' ? value : JSON.stringify(value)] as const,
  );
  return `It holds.\n${facts({ type, form, issuer: `${issuer}, ${known}`, status: status ?? 'not asked: --status', ...Object.fromEntries(members) })}`;
}

/** JSON, or a token. */
function read(text: string, file: string): unknown {
  const trimmed = text.trim();
  if (!trimmed.startsWith('{')) return trimmed;
  try {
    return JSON.parse(trimmed);
  } catch {
    throw new WrongUse(`${file} holds neither JSON nor a token.`);
  }
}

function didOf(text: string): string {
  try {
    return canonicalDid(text);
  } catch (error) {
    if (error instanceof Fault) throw new WrongUse(`--issuer: ${error.message}`);
    throw error;
  }
}
