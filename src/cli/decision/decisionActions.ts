/** What `countersign decisions` does: lists what was judged, and shows why. */
import type { Operations } from '../../../client/operations.ts';
import { compact } from '../../../protocol/wire/compact.ts';
import { colour } from '../output/colour.ts';
import { describeRules } from '../output/describeRules.ts';
import { type Cell, columns, localTime, money } from '../output/layout.ts';
import { print, printPieces } from '../output/print.ts';
import { agentCalled, agentNames } from '../target/names.ts';
import { newest } from '../target/pages.ts';
import type { TargetOptions } from '../target/targetOptions.ts';
import { withTarget } from '../target/withTarget.ts';

type DecisionQuery = Operations['listDecisions']['input'];
type DecisionRecord = Operations['getDecisions']['output']['decisions'][number];

interface ListOptions extends TargetOptions {
  readonly agent?: string;
  readonly merchant?: string;
  readonly outcome?: NonNullable<DecisionQuery['outcome']>;
  readonly reason?: NonNullable<DecisionQuery['reasonCode']>;
  readonly from?: string;
  readonly to?: string;
  readonly min?: number;
  readonly max?: number;
  readonly currency?: string;
  readonly limit: number;
  readonly csv?: boolean;
}

const HEADS = ['TRANSACTION', '', 'OUTCOME', 'WHEN', 'AMOUNT', 'MERCHANT', 'AGENT', 'WHY'];

export function listDecisions(env: NodeJS.ProcessEnv, options: ListOptions): Promise<void> {
  const { agent, merchant, outcome, reason: reasonCode, from, to, min, max, currency, limit } = options;
  return withTarget(env, options, async ({ client, listAsCsv }) => {
    const agentDid = agent === undefined ? undefined : await agentCalled(client, agent);
    const chosen = compact({ agentDid, merchant, outcome, reasonCode, from, to, min, max, currency });
    if (options.csv === true) return printPieces(listAsCsv('listDecisions', chosen));
    const decisions = await newest(limit, (page) => client.listDecisions({ ...page, ...chosen }));
    const names = await agentNames(
      client,
      decisions.map((each) => each.agentDid),
    );
    const rows = decisions.map((each) => [
      each.transactionId,
      each.kind,
      OUTCOMES[each.outcome],
      localTime(each.createdAt),
      money(each.amount, each.currency),
      each.merchant ?? '',
      names.get(each.agentDid) ?? each.agentDid,
      each.reasonCodes.join(', '),
    ]);
    print(options, decisions, columns(HEADS, rows));
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
  const { kind, outcome, amount, currency, merchant, createdAt, details, counterfactual } = decision;
  const where = merchant === undefined ? '' : ` at ${merchant}`;
  return [
    `${localTime(createdAt)}  ${kind} of ${money(amount, currency)}${where}: ${WORDS[outcome]}`,
    ...Object.entries(details).map(([code, { message }]) => `${colour.red('✗')} ${code}: ${message}`),
    ...(counterfactual === undefined ? [] : [counterfactual.sentence]),
    ...(decision.complete ? [] : ['What was bought before is not known in full.']),
    '',
    describeRules(decision.ruleTable),
  ].join('\n');
}
