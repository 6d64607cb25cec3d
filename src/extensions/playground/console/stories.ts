/** The stories of the playground: the ways that a purchase can go, each played for real in the sandbox. */
import { node } from '../../../../console/node/node.ts';
import { amountText } from '../../../../console/parts/values/amount.ts';
import { buy, CURRENCY, takeMoney, toPayment } from './purchase.ts';
import type { End, PlayStage, Story } from './stage.ts';

/** Amounts by the sandbox's first policy: up to 100 alone, up to 200 with a person. */
const ALONE = 42.5;
const WITH_PERSON = 150;
const TOO_MUCH = 500;

export const STORIES: readonly Story[] = [
  {
    name: 'allowed',
    title: 'Allowed',
    what: `The agent buys for ${amountText(ALONE, CURRENCY)}, which it may spend alone.`,
    run: (stage) => paid(stage, ALONE),
  },
  {
    name: 'person',
    title: 'Needs you',
    what: `The agent wants to spend ${amountText(WITH_PERSON, CURRENCY)}, and waits until you approve or deny.`,
    run: (stage) => paid(stage, WITH_PERSON),
  },
  {
    name: 'refused',
    title: 'Refused',
    what: `The agent asks for ${amountText(TOO_MUCH, CURRENCY)}, which is over every limit.`,
    async run(stage) {
      const bought = await buy(stage, TOO_MUCH);
      if ('end' in bought) return { ...bought.end, isAsTold: true };
      const link = toPayment(bought.value.mandateId);
      return { isAsTold: false, text: 'The policy of this node allows that much.', link };
    },
  },
  {
    name: 'declined',
    title: 'Declined card',
    what: 'The policy allows it, and the card does not.',
    run: (stage) => failed(stage, 'pm_card_visa_chargeDeclined'),
  },
  {
    name: 'secure',
    title: '3-D Secure',
    what: 'The card asks for its holder, who is not there.',
    run: (stage) => failed(stage, 'pm_card_authenticationRequired'),
  },
  {
    name: 'dispute',
    title: 'Dispute',
    what: 'The agent pays, and the card’s holder asks the bank for the money back.',
    run: disputed,
  },
];

async function paid(stage: PlayStage, amount: number): Promise<End> {
  const bought = await buy(stage, amount);
  if ('end' in bought) return bought.end;
  const { mandateId } = bought.value;
  await takeMoney(stage, mandateId);
  return { isAsTold: true, text: `Paid: ${amountText(amount, CURRENCY)}.`, link: toPayment(mandateId) };
}

async function failed(stage: PlayStage, instrument: string): Promise<End> {
  const bought = await buy(stage, ALONE, instrument);
  if ('end' in bought) return bought.end;
  const { mandateId, status, error = 'The rail gave no reason.' } = bought.value;
  const isAsTold = status === 'failed';
  return { isAsTold, text: isAsTold ? `Not paid. ${error}` : 'The rail allowed it.', link: toPayment(mandateId) };
}

async function disputed(stage: PlayStage): Promise<End> {
  const bought = await buy(stage, ALONE);
  if ('end' in bought) return bought.end;
  const { mandateId } = bought.value;
  await takeMoney(stage, mandateId);
  const answered = await node.demoDispute({ mandateId });
  const link = toPayment(mandateId);
  stage.show({ title: 'The bank opens a dispute', tone: 'bad', sent: { mandateId }, answered, link });
  return { isAsTold: true, text: 'Disputed. It needs you, and is on Today.', link };
}
