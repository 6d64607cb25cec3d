/** What `countersign decisions` does: lists what was judged, and shows why. */
import type { Operations } from '../../../client/operations.ts';
import { describeRules } from '../output/describeRules.ts';
import { type Cell, localTime, money } from '../output/layout.ts';
import { severalLimits } from '../output/limitText.ts';
import { colour, print } from '../output/print.ts';
import { type ListOptions, listRecords } from '../target/listRecords.ts';
import type { TargetOptions } from '../target/targetOptions.ts';
import { withTarget } from '../target/withTarget.ts';

type DecisionRecord = Operations['getDecisions']['output']['decisions'][number];

export function listDecisions(env: NodeJS.ProcessEnv, options: ListOptions): Promise<void> {
  return listRecords(env, options, 'listDecisions', {
    heads: ['TRANSACTION', '', 'OUTCOME', 'WHEN', 'AMOUNT', 'MERCHANT', 'AGENT', 'WHY'],
    row: (each, name) => [
      each.transactionId,
      each.kind,
      OUTCOMES[each.outcome],
      localTime(each.createdAt),
      money(each.amount, each.currency),
      each.merchant ?? '',
      name ?? each.agentDid,
      each.reasonCodes.join(', '),
    ],
  });
}

const WORDS = { allowed: 'allowed', refused: 'refused', approval: 'needs a person' } as const;
const OUTCOMES: Readonly<Record<DecisionRecord['outcome'], Cell>> = {
  allowed: { text: WORDS.allowed, paint: colour.green },
  refused: { text: WORDS.refused, paint: colour.red },
  approval: { text: WORDS.approval, paint: colour.yellow },
};

export function showDecisions(env: NodeJS.ProcessEnv, transactionId: string, options: TargetOptions): Promise<void> {
  return withTarget(env, options, async ({ client }) => {
    const shown = await client.getDecisions({ transactionId });
    const paid = shown.mandateId === undefined ? [] : [`Paid by ${shown.mandateId}`];
    print(options, shown, [...shown.decisions.map(describe), ...paid].join('\n\n'));
  });
}

function describe(decision: DecisionRecord): string {
  const { kind, outcome, amount, currency, merchant, createdAt, details, limits, counterfactual } = decision;
  const where = merchant === undefined ? '' : ` at ${merchant}`;
  return [
    `${localTime(createdAt)}  ${kind} of ${money(amount, currency)}${where}: ${WORDS[outcome]}`,
    ...Object.entries(details).map(([code, { message }]) => `${colour.red('✗')} ${code}: ${message}`),
    ...(counterfactual === undefined ? [] : [counterfactual.sentence]),
    ...severalLimits(limits),
    ...(decision.complete ? [] : ['What was bought before is not known in full.']),
    '',
    describeRules(decision.ruleTable),
  ].join('\n');
}
