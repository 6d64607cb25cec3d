/** The oracle's model of policies says of every example in docs/reference/policies.md what the page says, as the node does. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { judgeByRules, Rules } from './oracle/policyModel.ts';
import { thousandthsOf } from './oracle/thousandths.ts';

interface Case {
  readonly name: string;
  readonly at?: string;
  readonly before?: { readonly newMerchant?: boolean };
  readonly request: { amount: number; currency: string; merchantDomain?: string; mcc?: string; country?: string };
  readonly expect: {
    readonly allowed: boolean;
    readonly reasonCodes?: readonly string[];
    readonly hpRequired?: boolean;
  };
}

/** What other parts of the oracle judge, or none. */
const NOT_HERE: readonly string[] = ['risk.velocity_limit', 'risk.limits', 'risk.anomaly', 'risk.duplicate'];

test('every case of docs/reference/policies.md comes out by the model as the page says', () => {
  const sections = readFileSync('docs/reference/policies.md', 'utf8').split(/^### /m).slice(1);
  let judged = 0;
  for (const text of sections) {
    const rule = /^`([\w.]+)`/.exec(text)?.[1] ?? '';
    if (NOT_HERE.includes(rule)) continue;
    const [policy = '', cases = ''] = [...text.matchAll(/```json\n([\s\S]*?)```/g)].map(([, json]) => json ?? '');
    const rules = Rules.parse(JSON.parse(policy));
    for (const { name, at, before, request, expect } of JSON.parse(cases) as Case[]) {
      const purchase = {
        thousandths: thousandthsOf(request.amount) as number,
        currency: request.currency,
        merchant: request.merchantDomain,
        mcc: request.mcc,
        country: request.country,
        isKnownMerchant: before?.newMerchant === false,
      };
      const verdict = judgeByRules(rules, purchase, Date.parse(at ?? '2026-03-02T12:00:00Z'));
      assert.equal(verdict.refusing.length === 0, expect.allowed, `${rule}, ${name}`);
      if (expect.reasonCodes !== undefined) assert.deepEqual(verdict.refusing, expect.reasonCodes, `${rule}, ${name}`);
      if (expect.hpRequired !== undefined) assert.equal(verdict.needsPerson, expect.hpRequired, `${rule}, ${name}`);
      judged += 1;
    }
  }
  assert.ok(judged > 30, `${judged} cases were judged`);
});
