/** Prints mandates as they are handed to others, and verifies those that others bring. */
import { checkForms } from '../../../protocol/credential/checkForms.ts';
import { canonicalDid } from '../../../protocol/credential/did.ts';
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
  readonly json?: boolean;
}

const TYPES = ['PaymentMandate', 'IntentMandate', 'CartMandate'] as const;

/** @throws WrongUse for a file that holds no mandate, and for an issuer that is no DID */
export function verifyCredential(file: string, { issuer, json = false }: VerifyOptions): void {
  const text = readTextFile(file).trim();
  const credential: unknown = text.startsWith('{') ? parsed(text, file) : text;
  const verdict = judge(credential, issuer === undefined ? undefined : didOf(issuer));
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
  readonly subject?: Readonly<Record<string, unknown>>;
}

/** @param expected the issuer that it must have; undefined where any will do */
function judge(credential: unknown, expected: string | undefined): Verdict {
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
  return expired ? { valid: false, reason: 'It has expired.', ...shown } : { valid: true, ...shown };
}

function told({ valid, reason, type, form, issuer, subject = {} }: Verdict, isKnown: boolean): string {
  if (!valid) return `It does not hold: ${reason}`;
  const known = isKnown ? 'as you know it' : 'whose key signed it; --issuer says whether it is the node that you know';
  const members = Object.entries(subject).map(([name, value]) => [name, String(value)] as const);
  return `It holds.\n${facts({ type, form, issuer: `${issuer}, ${known}`, ...Object.fromEntries(members) })}`;
}

function parsed(text: string, file: string): unknown {
  try {
    return JSON.parse(text);
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
