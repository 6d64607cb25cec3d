/** A state: by a word and by a shape, never by color alone. */
import { wordsOf } from './codeText.ts';

const SHAPES = { good: '●', open: '◐', bad: '✕', over: '○', note: '▲' } as const;

type Meaning = keyof typeof SHAPES;

const STATES: Readonly<Record<string, readonly [word: string, meaning: Meaning]>> = {
  // Payments
  PENDING: ['Pending', 'open'],
  UNKNOWN: ['Outcome unknown', 'note'],
  AUTHORIZED: ['Reserved', 'open'],
  CAPTURED: ['Paid', 'good'],
  PARTIALLY_REFUNDED: ['Partly refunded', 'over'],
  REFUNDED: ['Refunded', 'over'],
  DISPUTED: ['Disputed', 'note'],
  FAILED: ['Failed', 'bad'],
  CANCELED: ['Canceled', 'over'],
  // Agents
  ACTIVE: ['Active', 'good'],
  SUSPENDED: ['Frozen', 'note'],
  REVOKED: ['Revoked', 'bad'],
  // Intents, and endpoints
  USED: ['Used', 'over'],
  EXPIRED: ['Expired', 'over'],
  DISABLED: ['Paused', 'over'],
  // Mandates whose agent may not spend the money
  barred: ['Not allowed', 'note'],
  // Deliveries
  'delivery delivered': ['Delivered', 'good'],
  'delivery retrying': ['Retrying', 'open'],
  'delivery failed': ['Failed', 'bad'],
  // Decisions
  allowed: ['Allowed', 'good'],
  refused: ['Refused', 'bad'],
  approval: ['A person was asked', 'open'],
  // Versions of a policy
  inForce: ['In force', 'good'],
  formerly: ['Not in force', 'over'],
  // Rules of a decision
  passed: ['Passed', 'good'],
  failed: ['Failed', 'bad'],
  person: ['Asks a person', 'open'],
  notAsked: ['Not asked', 'over'],
  // Webhooks
  PAUSED: ['Paused', 'over'],
  FAILING: ['Failing', 'bad'],
  // Findings of the node
  ok: ['OK', 'good'],
  warning: ['Warning', 'note'],
  fault: ['Fault', 'bad'],
  // Approvals
  pending: ['Pending', 'open'],
  approved: ['Approved', 'good'],
  denied: ['Denied', 'bad'],
  expired: ['Expired', 'over'],
};

export function Status({ state }: { readonly state: string }) {
  const [word, meaning] = STATES[state] ?? [wordsOf(state), 'over'];
  return (
    <span class={`status ${meaning}`}>
      <span aria-hidden="true">{SHAPES[meaning]}</span> {word}
    </span>
  );
}
