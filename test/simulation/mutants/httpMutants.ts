/** Known bugs of what servers ask for by HTTP (402), which show at sites that take money as they like (mutants.ts). */
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the texts are pieces of programs.
import type { Mutant } from './mutants.ts';

export const HTTP_MUTANTS: readonly Mutant[] = [
  {
    name: 'challenge not remembered',
    amid: 'sites',
    breaks: 'A challenge that comes again under another key is paid by another payment.',
    file: 'src/domain/httpPayments/openHttpPayment.ts',
    before: 'const challenge = offer.challenge === undefined ? null :',
    after: "const challenge = offer.challenge !== 'never' ? null :",
  },
  {
    name: 'a first try that was paid counts as ended',
    amid: 'sites',
    breaks: 'What an agent says came to nothing is made once more, though the rail shows that it was paid.',
    file: 'src/domain/httpPayments/replaceFirstTry.ts',
    before: "['FAILED', 'CANCELED', 'REFUNDED'];",
    after: "['FAILED', 'CANCELED', 'REFUNDED', 'AUTHORIZED', 'CAPTURED'];",
  },
  {
    name: 'a merchant’s no frees the money',
    amid: 'sites',
    breaks: 'An agent that reports a second 402 gets its budget back, and the token is neither revoked nor looked at.',
    file: 'src/domain/httpPayments/settlement.ts',
    before: '  yield* note(deps, payment, said, now);\n',
    after:
      "  if (said.includes('HTTP 402'))\n    yield* transition(deps, payment, { payment: { ...payment, status: 'CANCELED' }, eventType: 'PAYMENT_CANCELED', facts: {} }, now);\n",
  },
  {
    name: 'expiry frees without a look',
    amid: 'sites',
    breaks: 'What paid a merchant is taken to be unused once its time is over, and the rail is not asked.',
    file: 'src/domain/payments/askRail.ts',
    before: '  const outcome = await ask(deps, rail, row, options);',
    after:
      "  const isLapsed = rail.gate !== undefined && row.operation === 'cancel' && requestOf(row).reason === 'lapsed';\n  const outcome: RailOutcome = isLapsed ? { kind: 'ok', railId: row.payment_id, status: 'canceled' } : await ask(deps, rail, row, options);",
  },
  {
    name: 'receipt of another payment',
    amid: 'sites',
    breaks: 'A receipt that names another purchase of the merchant counts as that of this one.',
    file: 'protocol/mpp/chargeReceipt.ts',
    before: "  if (charge.externalId !== externalId) return 'names another externalId than was asked for';\n",
    after: '  void externalId;\n',
  },
  {
    name: 'touch not bound to the payee',
    amid: 'sites',
    breaks: 'What a person approved for one payee pays another one, who asks for the same money.',
    file: 'src/domain/orders/openPurchase.ts',
    before: 'source, merchant, amountMinor, currency, payee, what };\n  return',
    after: 'source, merchant, amountMinor, currency, payee: payee.slice(0, 0), what };\n  return',
  },
  {
    name: 'a claim lowers the capture',
    amid: 'sites',
    breaks: 'A merchant’s receipt makes half of the payment free.',
    file: 'src/domain/httpPayments/settlement.ts',
    before: 'captured(payment, payment.amount_minor, now)',
    after: 'captured(payment, Math.ceil(payment.amount_minor / 2), now)',
  },
  {
    name: 'a cart paid by a token',
    amid: 'limits',
    breaks: 'A merchant’s cart falls through to the rail of shared payment tokens, which nothing asks for it.',
    file: 'src/domain/instruments/chooseInstrument.ts',
    before: 'only === undefined ? gate === undefined : id === only',
    after: "only === undefined ? gate === undefined || id === 'SPT_RAIL' : id === only",
  },
];
