/** The prompt `buy`: what a person picks to have their agent buy something. */
import { type GetPromptResult, ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';

export const BUY = {
  name: 'buy',
  title: 'Buy something',
  description: 'Have the agent buy something, within what the policy allows.',
  arguments: [
    { name: 'what', description: 'What to buy.', required: true },
    { name: 'merchant', description: 'The shop’s domain, such as shop.example.' },
    { name: 'maxAmount', description: 'The most to spend, such as 42.50.' },
    { name: 'currency', description: 'ISO 4217, such as USD.' },
  ],
};

/** @throws ProtocolError for another prompt, or without what to buy */
export function buyPrompt(name: string, given: Readonly<Record<string, string>>): GetPromptResult {
  if (name !== BUY.name) throw new ProtocolError(ProtocolErrorCode.InvalidParams, `There is no prompt ${name}.`);
  const { what, merchant, maxAmount, currency } = given;
  if (what === undefined || what === '') {
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'what: is missing; say what to buy.');
  }
  const at = merchant === undefined ? '' : ` at ${merchant}`;
  const most = maxAmount === undefined ? '' : ` for at most ${maxAmount} ${currency ?? ''}`.trimEnd();
  const text = [
    `Buy ${what}${at}${most}.`,
    '1. Ask policy_explain whether it would be allowed, and tell me if it would not.',
    '2. Call request_intent for what it may cost, and find the offer; the merchant gives you a signed cart.',
    '3. Call validate_cart with the intentId and the cart as it is. If a person is asked, that is me: wait for my decision.',
    '4. Show me what is in the cart and what it costs, then call pay, and give the payment mandate to the merchant.',
    'If anything is refused, tell me the reasons, and do not try another way around them.',
  ].join('\n');
  return { description: BUY.description, messages: [{ role: 'user', content: { type: 'text', text } }] };
}
