/** `countersign demo --rails`: one budget over a card and the servers that ask by HTTP (402), one touch, and a record of each. */
import { type HttpPaymentRefusal, payFetch } from '../../../client/index.ts';
import { verifyBundle } from '../../../protocol/evidence/verifyBundle.ts';
import { nativeSuite } from '../../crypto/nativeSuite.ts';
import type { Node } from '../../node/startNode.ts';
import { colour } from '../output/print.ts';
import { ask, buy, offer, type Parties, prepare, validate } from './buyByCard.ts';
import { playOnNode } from './playOnNode.ts';
import { printEvidence, printLines, printRefusal, printStep } from './printSteps.ts';
import { sellingProtocols, startSellingServer } from './sellingServer.ts';

/** In USD. The archive is over what the budget has left after the others, whichever of the protocols are played. */
const PRICES = { groceries: 40, report: 25, archive: 40 } as const;
const POLICY = {
  name: '100 USD a day',
  rules: {
    version: '2.0',
    spend: { currency: 'USD' },
    risk: { limits: [{ name: 'day', max_amount: 100, window: '1d', action: 'presence' }] },
  },
} as const;

/** The agent that pays servers. */
interface Payer {
  readonly fetch: typeof fetch;
  /** What the node refused last. */
  lastRefusal(): HttpPaymentRefusal | undefined;
}

export async function runRailsDemo(): Promise<void> {
  await playOnNode(async (node) => {
    const parties = await prepare(node);
    await parties.rest.createPolicy(POLICY);
    const server = await startSellingServer(PRICES);
    try {
      await showRails(parties, server.address);
    } finally {
      server.close();
    }
    await printEvidence(parties.rest);
    await verifyBundles(parties, node);
  });
}

async function showRails(parties: Parties, address: string): Promise<void> {
  printLines(
    colour.bold('An agent pays by every rail, from one budget.'),
    `Its owner's policy: up to 100 USD a day, and more with the owner's approval.`,
  );
  printLines('', colour.bold('1. Groceries for 40 USD, by card'));
  const intent = await ask(parties, PRICES.groceries);
  if (intent.allowed) await buy(parties, intent, await offer(parties, PRICES.groceries));

  const payer = payerOf(parties);
  let number = 1;
  for (const { path, name } of sellingProtocols) {
    number += 1;
    printLines('', colour.bold(`${number}. A report for 25 USD, from a server that asks by ${name}`));
    await fetchPaid(payer, `${address}/${path}/report`);
  }

  const [last] = sellingProtocols.slice(-1);
  if (last === undefined) return;
  printLines('', colour.bold(`${number + 1}. An archive for 40 USD, which is over the budget by each of them`));
  for (const { path, name } of sellingProtocols) {
    printLines(`   By ${name}:`);
    await fetchPaid(payer, `${address}/${path}/archive`);
  }
  const refused = payer.lastRefusal();
  printLines('   By card:');
  await askByCard(parties);

  printLines('', colour.bold(`${number + 2}. The owner approves the one by ${last.name}`));
  if (refused?.approval?.url === undefined) return;
  printStep('ok', `the owner gets a link: ${refused.approval.url}`);
  await parties.owner.approve(refused.approval.url);
  printStep('ok', 'the passkey approves this purchase, and no other');
  await fetchPaid(payer, `${address}/${last.path}/archive`);
}

function payerOf({ agent, principal, rest }: Parties): Payer {
  let last: HttpPaymentRefusal | undefined;
  const paying = payFetch(rest, {
    agentDid: agent.did,
    principalDid: principal,
    onRefusal(refusal) {
      last = refusal;
      printRefusal(refusal);
    },
  });
  return { fetch: paying, lastRefusal: () => last };
}

async function fetchPaid({ fetch: paying }: Payer, url: string): Promise<void> {
  const response = await paying(url);
  if (response.ok) printStep('ok', `${url} is paid: the server sends the ${await response.text()}`);
}

/** The shop's cart is over the budget as well. */
async function askByCard(parties: Parties): Promise<void> {
  const intent = await ask(parties, PRICES.archive);
  if (intent.allowed) await validate(parties, intent, await offer(parties, PRICES.archive));
}

/** Each purchase's record, checked without the node: by its file and the issuer's DID alone. */
async function verifyBundles({ rest }: Parties, { deps }: Node): Promise<void> {
  const { data } = await rest.listPayments({});
  for (const { amount, currency, merchant, rail, status, transactionId } of data.toReversed()) {
    const bundle = await rest.evidenceBundle({ transactionId, format: 'portable' });
    const checked = verifyBundle(nativeSuite(), JSON.stringify(bundle), deps.issuer.did);
    const purchase = `${amount.toFixed(2)} ${currency} to ${merchant} by ${rail}, ${status}`;
    if (checked.ok) printStep('ok', `${purchase}: its bundle verifies offline`);
    else printStep('no', `${purchase}: ${checked.reason}`);
  }
}
