/** A dispute pack as one page to print: for a bank, which reads no JSON. It has no script, and loads nothing. */

import type { EvidenceEvent } from '../evidence/chain.ts';
import { revealedText } from '../guard/revealedText.ts';
import { formatAmount } from '../money.ts';
import { type DisputePack, type EventRun, eventRuns } from './disputePack.ts';

const STYLE =
  'body{font:14px/1.45 system-ui,sans-serif;max-width:46em;margin:2em auto;padding:0 1em;color:#111}' +
  'h1{font-size:1.5em}h2{font-size:1.1em;margin-top:1.6em;border-bottom:1px solid #999}' +
  'table{border-collapse:collapse;width:100%}th,td{text-align:left;vertical-align:top;padding:.25em .8em .25em 0}' +
  'th{font-weight:600;white-space:nowrap;width:13em}td{overflow-wrap:anywhere}tr{break-inside:avoid}pre{white-space:pre-wrap;overflow-wrap:anywhere}';

/** @param packHash of pack.json, which is in the same archive */
export function disputePage(pack: DisputePack, packHash: string): string {
  const { payment } = pack;
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>Dispute of payment ${escaped(payment.mandateId)}</title><style>${STYLE}</style></head><body>
<h1>Dispute of payment ${escaped(payment.mandateId)}</h1>
${disputesPart(pack)}
${section('1. The payment', paymentRows(pack))}
${section('2. What was asked', eventRows(pack.decision.asked, 'The bundle has no intent.'))}
${section('3. What was decided, and by which policy', eventRows(pack.decision.approved, 'The bundle has no approved cart.'))}
${personsPart(pack)}
${merchantPart(pack)}
${section('6. What the rail and others recorded', eventRuns(pack.rail).map(rowOf))}
${section('7. How to check it', checkRows(pack, packHash))}
</body></html>
`;
}

type Row = readonly [string, string];

function disputesPart({ payment }: DisputePack): string {
  const rows = payment.disputes.map(({ railDisputeId, status, amount, currency, reason, dueBy }): Row => {
    const due = dueBy === undefined ? '' : `, to be answered by ${dueBy}`;
    return [
      railDisputeId,
      `${formatAmount(amount, currency)}, ${status}${reason === undefined ? '' : ` (${reason})`}${due}`,
    ];
  });
  return table(rows);
}

function paymentRows({ payment, madeAt }: DisputePack): Row[] {
  const {
    agentDid,
    merchant,
    amount,
    captured,
    refunded,
    currency,
    description = '',
    rail,
    status,
    createdAt,
  } = payment;
  const shown = (part: number) => formatAmount(part, currency);
  return [
    ['Merchant', merchant],
    ['Bought', description],
    ['Amount', `${shown(amount)}; taken ${shown(captured)}, given back ${shown(refunded)}`],
    ['Status', status],
    ['Paid at', createdAt],
    ['Agent that bought', agentDid],
    ['Rail', `${rail} ${payment.railTransactionId ?? ''}`.trim()],
    ['This page made at', madeAt],
  ];
}

function personsPart({ decision: { persons }, bundle: { presence } }: DisputePack): string {
  const rows = persons.map(lineOf);
  if (presence !== undefined)
    rows.push(['Passkey', 'The signature of the person’s passkey over the purchase is in the bundle (presence).']);
  const none: Row = ['Approved by', 'The policy alone; no person was asked.'];
  return section('4. Who approved it', rows.length === 0 ? [none] : rows);
}

const FORMS = {
  cart: 'A cart credential, signed by the merchant.',
  cartMandate: 'A cart mandate of AP2, with the merchant’s authorization.',
  checkout: 'A checkout of UCP, signed by the business.',
  node: 'The merchant signs no carts: the node wrote down what was offered.',
} as const;

function merchantPart({ merchant: { cart, told }, bundle: { credentials } }: DisputePack): string {
  const document = credentials.cartMandate ?? credentials.checkout ?? credentials.cart;
  const form = cart === undefined ? 'The bundle has no cart.' : FORMS[cart];
  const parts = [table([['What was offered', form]])];
  if (document !== undefined) parts.push(data(document));
  const said = 'What the merchant told of payment and delivery';
  parts.push(
    told === undefined ? table([[said, 'Nothing was told to the node.']]) : `${table([[said, '']])}${data(told)}`,
  );
  return `<h2>5. The merchant</h2>${parts.join('')}`;
}

function checkRows({ bundle }: DisputePack, packHash: string): Row[] {
  return [
    ['SHA-256 of pack.json', packHash],
    ['Issuer of the evidence', bundle.issuer],
    ['Transaction', bundle.transactionId],
    [
      'With a program',
      `countersign evidence verify bundle.json --issuer ${bundle.issuer}: every signature, hash and inclusion proof, without the node.`,
    ],
  ];
}

function eventRows(event: EvidenceEvent | undefined, none: string): Row[] {
  if (event === undefined) return [['', none]];
  const told = Object.entries(event.data).map(([name, value]): Row => [name, textOf(value)]);
  return [['at', event.createdAt], ...told];
}

function lineOf({ eventType, createdAt, data: facts }: EvidenceEvent): Row {
  const told = Object.entries(facts).map(([name, value]) => `${name}: ${textOf(value)}`);
  return [`${eventType} ${createdAt}`, told.join('; ')];
}

function rowOf({ first, last, count }: EventRun): Row {
  const [name, told] = lineOf(first);
  return count === 1 ? [name, told] : [name, `${told}; and ${count - 1} more until ${last.createdAt}, in bundle.json`];
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function section(title: string, rows: readonly Row[]): string {
  return `<h2>${escaped(title)}</h2>${table(rows)}`;
}

function table(rows: readonly Row[]): string {
  const lines = rows.map(([name, value]) => `<tr><th>${escaped(name)}</th><td>${escaped(value)}</td></tr>`);
  return `<table>${lines.join('')}</table>`;
}

function data(value: unknown): string {
  return `<pre>${escaped(JSON.stringify(value, null, 2))}</pre>`;
}

/** As text: nothing in it is markup, or moves or hides what stands beside it. */
function escaped(text: string): string {
  return revealedText(text).replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
