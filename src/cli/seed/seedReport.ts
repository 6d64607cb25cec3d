/** What a seed left behind, counted at the node, and where to look at it. */
import { type Client, each } from '../../../client/index.ts';
import { colour } from '../output/print.ts';
import type { SeededPolicy } from './settle.ts';

interface SeedReport {
  readonly agents: number;
  readonly frozen: number;
  readonly principals: number;
  readonly merchants: number;
  readonly payments: number;
  readonly paymentsByStatus: Readonly<Record<string, number>>;
  readonly refusalsByReason: Readonly<Record<string, number>>;
  readonly approvalsByStatus: Readonly<Record<string, number>>;
  readonly evidence: { readonly events: number; readonly valid: boolean };
}

const PAGE = 200;

export async function countSeeded(client: Client): Promise<SeedReport> {
  const [agents, payments, refusals, approvals] = [
    await all(each(client.listAgents, { limit: PAGE })),
    await all(each(client.listPayments, { limit: PAGE })),
    await all(each(client.listDecisions, { limit: PAGE, outcome: 'refused' })),
    await all(each(client.listApprovals, { limit: PAGE })),
  ];
  const { eventsVerified: events, valid } = await client.verifyEvidence();
  return {
    agents: agents.length,
    frozen: agents.filter(({ status }) => status === 'SUSPENDED').length,
    principals: (await all(each(client.listPrincipals, { limit: PAGE }))).length,
    merchants: (await all(each(client.listMerchants, { limit: PAGE }))).length,
    payments: payments.length,
    paymentsByStatus: countBy(payments.map(({ status }) => status)),
    refusalsByReason: countBy(refusals.flatMap(({ reasonCodes }) => reasonCodes)),
    approvalsByStatus: countBy(approvals.map(({ status }) => status)),
    evidence: { events, valid },
  };
}

async function all<Row>(rows: AsyncIterable<Row>): Promise<Row[]> {
  const listed: Row[] = [];
  for await (const row of rows) listed.push(row);
  return listed;
}

function countBy(names: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const name of names.toSorted()) counts[name] = (counts[name] ?? 0) + 1;
  return counts;
}

/** @param policy that holds from now on, with the one before it */
export function seedText(report: SeedReport, policy: SeededPolicy, baseUrl: string, seconds: number): string {
  const listed = (counts: Readonly<Record<string, number>>) =>
    Object.entries(counts)
      .map(([name, count]) => `${count} ${name}`)
      .join(', ');
  const { events, valid } = report.evidence;
  return [
    colour.bold(`${report.payments} purchases over 30 days, made in ${seconds.toFixed(1)} seconds.`),
    '',
    `  Agents      ${report.agents}, ${report.frozen} of them frozen, for ${report.principals} people and firms, at ${report.merchants} shops`,
    `  Payments    ${listed(report.paymentsByStatus)}`,
    `  Refusals    ${listed(report.refusalsByReason)}`,
    `  Approvals   ${listed(report.approvalsByStatus)}`,
    `  Evidence    ${events} chained events, ${valid ? colour.green('valid') : colour.red('BROKEN')}`,
    `  Policy      “${policy.name}” holds from now on, in place of ${policy.former}: figures of the tutorials are that one’s`,
    '',
    'Lists of evidence go by number, so that what was seeded stands above what you did before; lists of payments go by time.',
    '',
    `Next: countersign serve, and open ${baseUrl}/console/`,
  ].join('\n');
}
