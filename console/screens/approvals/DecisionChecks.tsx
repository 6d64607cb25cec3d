/** What the passkeys of those who approved show: nine checks of each decision, made in this browser. */
import { useEffect, useState } from 'preact/hooks';
import type { ApprovalState } from '../../../client/operations.ts';
import { type ApprovalVerdict, approverText, CHECK_WORDS } from '../../../protocol/approvals/approvalChecks.ts';
import { explain } from '../../node/explainError.ts';
import { HOME, NODE_DID } from '../../node/here.ts';
import { Card } from '../../parts/Card.tsx';
import { checkApproval } from '../../proofs/loadCheck.ts';

type CheckResult = readonly ApprovalVerdict[] | { readonly failed: string };

/** Shown for what people approved; to a no, and to a request that has expired, there is nothing to check. */
export function DecisionChecks({ approval }: { readonly approval: ApprovalState }) {
  const [checked, setChecked] = useState<CheckResult>();
  const { decision } = approval;
  useEffect(() => {
    if (decision?.outcome !== 'approved') return;
    let isCurrent = true;
    const show = (result: CheckResult) => isCurrent && setChecked(result);
    checkApproval(approval, NODE_DID, HOME.origin).then(show, (error: unknown) =>
      show({ failed: explain(error).message }),
    );
    return () => {
      isCurrent = false;
    };
  }, [approval, decision]);
  if (decision?.outcome !== 'approved') return null;
  return (
    <Card title={(approval.decisions?.length ?? 1) > 1 ? 'What their passkeys show' : 'What the passkey shows'}>
      <Verdicts checked={checked} />
    </Card>
  );
}

function Verdicts({ checked }: { readonly checked: CheckResult | undefined }) {
  if (checked === undefined) return <p class="quiet">Checking the decision in this browser…</p>;
  if ('failed' in checked) return <p class="trouble">It could not be checked: {checked.failed}</p>;
  return (
    <>
      {checked.map((verdict, index) => (
        <Verdict key={index} verdict={verdict} />
      ))}
    </>
  );
}

function Verdict({ verdict }: { readonly verdict: ApprovalVerdict }) {
  const { valid, reason, checks } = verdict;
  return (
    <>
      <p class={valid ? undefined : 'trouble'} role={valid ? undefined : 'alert'}>
        {valid ? (
          <>
            <span class="status good">
              <span aria-hidden="true">✓</span> Checked in this browser
            </span>{' '}
            {approverText(verdict)} approved exactly this purchase. Anyone can check the same without this node.
          </>
        ) : (
          <>
            <strong>It is not shown that a person approved this.</strong> {reason}
          </>
        )}
      </p>
      <ul class="decision-checks">
        {checks.map(({ name, ok }) => (
          <li key={name} class={ok ? undefined : 'trouble'}>
            <span aria-hidden="true">{ok ? '✓' : '✗'}</span>
            <span>
              {CHECK_WORDS[name]}
              {!ok && ' This does not hold.'}
            </span>
          </li>
        ))}
      </ul>
    </>
  );
}
