/** What `countersign approvals verify` does: judges a decision by what the person's passkey signed, without any node. */
import { z } from 'zod';
import {
  type ApprovalExpectation,
  type ApprovalVerdict,
  approverText,
  CHECK_WORDS,
} from '../../../protocol/approvals/approvalChecks.ts';
import { ApprovalDecision, Sha256 } from '../../../protocol/approvals/approvalDecision.ts';
import { verifyApproval } from '../../../protocol/approvals/verifyApproval.ts';
import { hashOf } from '../../../protocol/credential/canonical.ts';
import { PublicJwk, thumbprintOf } from '../../../protocol/jwk/jwk.ts';
import { compact } from '../../../protocol/wire/compact.ts';
import { nativeSuite } from '../../crypto/nativeSuite.ts';
import { WrongUse } from '../commandFailure.ts';
import { readJsonFile } from '../input/files.ts';
import { print } from '../output/print.ts';

interface VerifyOptions {
  readonly cart?: string;
  readonly documentHash?: string;
  readonly agent?: string;
  readonly amount?: number;
  readonly currency?: string;
  readonly merchant?: string;
  readonly until?: string;
  readonly origin?: string;
  readonly key?: readonly string[];
  readonly issuer?: string;
  readonly json?: true;
}

const suite = nativeSuite();

/** @throws WrongUse for a file that holds no decision, and where it is not said what was to be approved */
export function verifyDecisionFile(file: string, options: VerifyOptions): void {
  const decisions = decisionsIn(file);
  const expect = expectationOf(options);
  const keys = (options.key ?? []).map(keyIn);
  const issuers = options.issuer === undefined ? [] : [options.issuer];
  const verdicts = decisions.map((decision) =>
    verifyApproval(suite, decision, expect, { keys, issuers, now: Date.now() }),
  );
  // Two decisions by one key are one person's.
  const people = new Set(decisions.map(({ key }) => key && thumbprintOf(suite, key))).size;
  const valid = verdicts.every((verdict) => verdict.valid) && people === decisions.length;
  const [only] = verdicts;
  print(
    { json: options.json === true },
    verdicts.length === 1 ? only : { valid, people, decisions: verdicts },
    told(verdicts, people, valid),
  );
  if (!valid) process.exitCode = 1;
}

/** One decision, or the list that a request of several people has. */
function decisionsIn(file: string): ApprovalDecision[] {
  const given = readJsonFile(file);
  const list = Array.isArray(given) ? given : [given];
  if (list.length === 0) throw new WrongUse(`${file} holds no decision.`);
  return list.map((each) => {
    const parsed = ApprovalDecision.safeParse(each);
    if (parsed.success) return parsed.data;
    const [issue] = parsed.error.issues;
    throw new WrongUse(`${file} holds no decision: "${issue?.path.join('.')}" ${issue?.message}.`);
  });
}

function expectationOf(options: VerifyOptions): ApprovalExpectation {
  const { cart, agent: agentDid, until: expiresAt, amount, currency, merchant, origin } = options;
  const documentHash = cart === undefined ? options.documentHash : hashOfCart(cart);
  if (documentHash === undefined) {
    throw new WrongUse('Name what was to be approved: --cart with the file of the cart, or --document-hash.');
  }
  if (!Sha256.safeParse(documentHash).success) {
    throw new WrongUse(`--document-hash ${documentHash} must be sha256: and 64 hexadecimal digits.`);
  }
  return { documentHash, ...compact({ agentDid, amount, currency, merchant, expiresAt, origin }) };
}

function hashOfCart(file: string): string {
  const cart = z.record(z.string(), z.unknown()).safeParse(readJsonFile(file));
  if (!cart.success) throw new WrongUse(`${file} holds no cart: it must be a JSON object.`);
  const { proof: _proof, ...document } = cart.data;
  return hashOf(suite, document);
}

function keyIn(file: string): PublicJwk {
  const parsed = PublicJwk.safeParse(readJsonFile(file));
  if (parsed.success) return parsed.data;
  throw new WrongUse(`${file} holds no public key (JWK).`);
}

function told(verdicts: readonly ApprovalVerdict[], people: number, valid: boolean): string {
  const lines = verdicts.flatMap((verdict, at) => [
    ...(verdicts.length === 1 ? [] : [`Decision ${at + 1}: ${approverText(verdict)}`]),
    ...verdict.checks.map(({ name, ok }) => `${ok ? '✓' : '✗'} ${CHECK_WORDS[name]}`),
    ...(verdict.reason === undefined ? [] : [verdict.reason]),
  ]);
  if (people < verdicts.length) lines.push('Decisions by one passkey are one person’s: each must be by another.');
  const [only] = verdicts;
  const who = verdicts.length === 1 && only !== undefined ? approverText(only) : 'A person';
  return [valid ? `${who} approved it.` : 'It is not shown that a person approved it.', ...lines].join('\n');
}
