/** Known bugs of what servers ask for by HTTP (402), which show at sites that take money as they like, and of payments elsewhere (mutants.ts). */
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
    before: 'compact({ payee, what, items:',
    after: 'compact({ payee: undefined, what, items:',
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
  {
    name: 'a signature lapses unseen',
    amid: 'sites',
    breaks: 'What a wallet has signed is taken to be unused once its time is over, and the chain is not asked.',
    file: 'src/extensions/x402/transferRail.ts',
    before: ': endOf(await look(SignedTransfer.parse(JSON.parse(credential)))),',
    after: ": { kind: 'ok', railId: mandateId, status: 'canceled' },",
  },
  {
    name: 'an open transfer taken for lapsed',
    amid: 'sites',
    breaks: 'A transfer that the chain has not settled so far counts as one that it never will settle.',
    file: 'src/extensions/x402/transferState.ts',
    before: "BigInt(last.timestamp) > BigInt(authorization.validBefore) ? 'lapsed'",
    after: "BigInt(last.timestamp) > 0n ? 'lapsed'",
  },
  {
    name: 'a first try signed once more',
    amid: 'sites',
    breaks:
      'For a first try whose signature can still be settled another transfer is signed, in place of the same one.',
    file: 'src/domain/httpPayments/replaceFirstTry.ts',
    before: '  if (!isSigned) return refuseSecond(deps, first, now);\n',
    after: '  if (isSigned) return undefined;\n  if (now > 0) return refuseSecond(deps, first, now);\n',
  },
  {
    name: 'a transfer to the contract',
    amid: 'sites',
    breaks: 'What is signed pays the token’s own contract, and not who asked.',
    file: 'protocol/x402/transferAuthorization.ts',
    before: 'to: checksumAddress(payTo)',
    after: 'to: checksumAddress(asset.address)',
  },
  {
    name: 'a merchant’s no frees the money amid faults',
    amid: 'sites in trouble',
    breaks: 'A report without a receipt frees what was signed, before the chain has said anything.',
    file: 'src/domain/httpPayments/settlement.ts',
    before: '  yield* note(deps, payment, said, now);\n',
    after:
      "  yield* transition(deps, payment, { payment: { ...payment, status: 'CANCELED' }, eventType: 'PAYMENT_CANCELED', facts: {} }, now);\n",
  },
  {
    name: 'an overrun that lapses',
    amid: 'payments elsewhere',
    breaks: 'A reservation of which more was told to be paid is freed at its end.',
    file: 'src/extensions/external/commitReservation.ts',
    before: 'const held: PaymentRow = { ...payment, hold_until: null };',
    after: 'const held: PaymentRow = { ...payment };',
  },
  {
    name: 'late money is not counted',
    amid: 'payments elsewhere',
    breaks: 'What was freed and paid after all is acknowledged, and limits go on as if it were free.',
    file: 'src/extensions/external/commitReservation.ts',
    before: "  const isLate = payment.status === 'CANCELED';\n  if (isLate && row.commit_until",
    after:
      "  const isLate = payment.status === 'CANCELED';\n  if (isLate) return yield* loadPaymentAnswer({ ...payment, status: 'CAPTURED', captured_minor: amountMinor });\n  if (isLate && row.commit_until",
  },
];
