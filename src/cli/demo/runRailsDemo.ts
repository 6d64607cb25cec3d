/** `countersign demo --rails`: one budget over a card, the servers that ask by HTTP (402), a payment elsewhere and another vendor's tool; one touch, and a record of each. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type HttpPaymentRefusal, payFetch, ReservationRefused } from '../../../client/index.ts';
import { verifyBundle } from '../../../protocol/evidence/verifyBundle.ts';
import { nativeSuite } from '../../crypto/nativeSuite.ts';
import type { Node } from '../../node/startNode.ts';
import { runExtensionProgram } from '../extensionProgram.ts';
import { colour } from '../output/print.ts';
import { ask, buy, offer, type Parties, prepare, validate } from './buyByCard.ts';
import { playOnNode } from './playOnNode.ts';
import { printEvidence, printLines, printRefusal, printStep } from './printSteps.ts';
import { DEMO_NETWORK, sellingProtocols, startSellingServer } from './sellingServer.ts';

/** In USD. The archive is over what the budget has left after the others, whichever of the protocols are played. */
const PRICES = { groceries: 30, report: 20, tea: 15, prints: 15, archive: 40 } as const;
const POLICY = {
  name: '100 USD a day',
  rules: {
    version: '2.0',
    spend: { currency: 'USD' },
    risk: { limits: [{ name: 'day', max_amount: 100, window: '1d', action: 'presence' }] },
    rails: { allow: ['CARD_RAIL', 'SPT_RAIL', 'X402_RAIL', 'EXTERNAL_RAIL'] },
  },
} as const;

/** Another vendor's payment tool, behind the guard. */
interface Vendor {
  /** @param amount in whole USD */
  pay(amount: number): Promise<{ readonly isError: boolean; readonly text: string }>;
}

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
    await parties.rest.createWallet({ network: DEMO_NETWORK });
    const server = await startSellingServer(PRICES);
    const folder = await mkdtemp(join(tmpdir(), 'countersign-demo-'));
    const { agent, principal: principalDid, rest } = parties;
    let vendor: Vendor | undefined;
    try {
      await runExtensionProgram('guard demo', {
        ...{ agentDid: agent.did, principalDid, node: rest, address: node.address },
        stateFile: join(folder, 'guard.state.json'),
        play: (found: Vendor) => {
          vendor = found;
          return showRails(parties, server.address, found);
        },
      });
      // Without the extension no program has played it.
      if (vendor === undefined) await showRails(parties, server.address);
    } finally {
      server.close();
      await rm(folder, { recursive: true, force: true });
    }
    await printEvidence(parties.rest);
    await verifyBundles(parties, node);
  });
}

async function showRails(parties: Parties, address: string, vendor?: Vendor): Promise<void> {
  printLines(
    colour.bold('An agent pays by every rail, from one budget.'),
    `Its owner's policy: up to 100 USD a day, and more with the owner's approval.`,
  );
  printLines('', colour.bold(`1. Groceries for ${PRICES.groceries} USD, by card`));
  const intent = await ask(parties, PRICES.groceries);
  if (intent.allowed) await buy(parties, intent, await offer(parties, PRICES.groceries));

  const payer = payerOf(parties);
  let number = 1;
  for (const { path, name } of sellingProtocols) {
    number += 1;
    printLines('', colour.bold(`${number}. A report for ${PRICES.report} USD, from a server that asks by ${name}`));
    await fetchPaid(payer, `${address}/${path}/report`);
  }

  printLines(
    '',
    colour.bold(`${number + 1}. Tea for ${PRICES.tea} USD, with a card that the agent types into the shop's page`),
  );
  await payElsewhere(parties, PRICES.tea, 'tea');
  printLines(
    '',
    colour.bold(`${number + 2}. Prints for ${PRICES.prints} USD, with another vendor's tool behind the guard`),
  );
  if (vendor !== undefined) await payByTool(vendor, PRICES.prints);

  const [last] = sellingProtocols.slice(-1);
  if (last === undefined) return;
  number += 3;
  printLines(
    '',
    colour.bold(`${number}. An archive for ${PRICES.archive} USD, which is over the budget by each of them`),
    // Otherwise a reader asks why what was refused is in the sums of the next ones.
    '   Each one waits for the owner, and what waits is held: the sum of the day grows by it.',
  );
  for (const { path, name } of sellingProtocols) {
    printLines(`   By ${name}:`);
    await fetchPaid(payer, `${address}/${path}/archive`);
  }
  const refused = payer.lastRefusal();
  printLines('   By card:');
  await askByCard(parties);
  printLines('   Elsewhere:');
  await payElsewhere(parties, PRICES.archive, 'archive');
  printLines("   By the vendor's tool:");
  if (vendor !== undefined) await payByTool(vendor, PRICES.archive);

  printLines('', colour.bold(`${number + 1}. The owner approves the one by ${last.name}`));
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

/** Reserved before, and told of afterwards. */
async function payElsewhere(
  { agent, principal: principalDid, rest }: Parties,
  amount: number,
  key: string,
): Promise<void> {
  const asked = { merchant: 'tea.example', amount, currency: 'USD', channel: 'card' as const };
  const purchase = { agentDid: agent.did, principalDid, ...asked, reference: key, idempotencyKey: key };
  try {
    const paid = await rest.external.pay(purchase, ({ reserved }) => {
      printStep('ok', `${reserved.toFixed(2)} USD are reserved; the agent pays`);
      return { amount: reserved, reference: `order-${key}` };
    });
    printStep('ok', `it tells the node what it paid: ${paid.status}`);
  } catch (error) {
    if (!(error instanceof ReservationRefused)) throw error;
    printRefusal(error.refusal);
  }
}

async function payByTool(vendor: Vendor, amount: number): Promise<void> {
  const { isError, text } = await vendor.pay(amount);
  printStep(isError ? 'no' : 'ok', isError ? text : `the tool is called, and answers ${text}`);
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
