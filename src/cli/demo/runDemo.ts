/** `countersign demo`: three purchases between agents, step by step: allowed, approved by the owner, and refused. */
import { colour } from '../output/print.ts';
import { ask, askOwner, buy, offer, type Parties, prepare, validate } from './buyByCard.ts';
import { playOnNode } from './playOnNode.ts';
import { printEvidence, printLines } from './printSteps.ts';

export async function runDemo(): Promise<void> {
  await playOnNode(async (node) => showPurchases(await prepare(node)));
}

async function showPurchases(parties: Parties): Promise<void> {
  printLines(
    colour.bold('An agent goes shopping.'),
    `Its owner's policy: up to 100 USD alone, up to 200 USD with the owner's approval.`,
  );

  printLines('', colour.bold('1. Groceries for 42.50 USD'));
  const small = await ask(parties, 42.5);
  if (small.allowed) await buy(parties, small, await offer(parties, 42.5));

  printLines('', colour.bold('2. Headphones for 150 USD'));
  const large = await ask(parties, 150);
  if (large.allowed) {
    const cartVc = await offer(parties, 150);
    const rejected = await validate(parties, large, cartVc);
    await buy(parties, large, cartVc, await askOwner(parties, rejected));
  }

  printLines('', colour.bold('3. A television for 500 USD'));
  await ask(parties, 500);

  await printEvidence(parties.rest);
}
