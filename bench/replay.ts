/** A draft policy run against 10,000 recorded requests: processor time, as `countersign policy replay` spends it. */
import { compilePolicy } from '../protocol/policy/compile.ts';
import { replayPolicy } from '../protocol/policy/replay/replay.ts';
import { Rules } from '../protocol/policy/rules.ts';
import type { Options } from './options.ts';
import { median, type Target } from './report.ts';

const REQUESTS = 10_000;
const AGENTS = 50;
const START = Date.parse('2026-11-01T00:00:00Z');

const DRAFT = compilePolicy(
  Rules.parse({
    version: '2.0',
    spend: { amount_cap: 60, presence_cap: 120, currency: 'USD' },
    merchant: { deny_list: ['shop7.example', '*.scam.example'] },
    context: {
      presence_new_merchant: true,
      time_windows: [
        { days: ['mon', 'tue', 'wed', 'thu', 'fri'], from: '08:00', to: '22:00', timezone: 'Europe/Berlin' },
      ],
    },
    risk: {
      velocity_limit: { max_transactions: 20, max_amount: 900, time_window: '1d' },
      anomaly: { min_history: 5, max_deviation: 3, action: 'presence' },
    },
  }),
);

export async function measureReplay(options: Options): Promise<Target[]> {
  const events = recorded();
  const seconds = Array.from({ length: Math.max(3, options.rounds) }, () => {
    const before = process.cpuUsage();
    const { requests, flips } = replayPolicy(DRAFT, events, 0, Date.parse(events.at(-1)?.createdAt ?? ''));
    const { user, system } = process.cpuUsage(before);
    if (requests !== REQUESTS || flips.length === 0)
      throw new Error(`${requests} requests gave ${flips.length} flips.`);
    return (user + system) / 1e6;
  });
  console.log(`${REQUESTS} requests of ${AGENTS} agents over 21 days, each paid: ${events.length} events`);
  return [
    { name: 'replay of 10,000 requests, CPU s', figure: median(seconds), target: 2, better: 'lower', rounds: seconds },
  ];
}

/** Requests as a chain records them, each allowed one followed by its payment. */
function recorded() {
  return Array.from({ length: REQUESTS }, (_, index) => {
    const createdAt = new Date(START + index * 181_440).toISOString();
    const about = {
      transactionId: `txn_${index}`,
      mandateId: `intent_${index}`,
      agentDid: `did:key:agent${index % AGENTS}`,
      currency: 'USD',
    };
    const amount = 5 + ((index * 37) % 70);
    const merchant = `shop${index % 23}.example`;
    const asked = { ...about, maxAmount: amount, merchantDomain: merchant, hpRequired: false };
    const paid = { ...about, intentId: about.mandateId, amount, merchant };
    return [
      { eventType: 'INTENT_ISSUED', data: asked },
      { eventType: 'PM_ISSUED', data: paid },
      { eventType: 'PAYMENT_AUTHORIZED', data: paid },
    ].map((event, step) => ({ ...event, seq: index * 3 + step + 1, createdAt }));
  }).flat();
}
