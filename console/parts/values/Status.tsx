/** A state: by a word and by a shape, never by color alone. */

const SHAPES = { good: '●', open: '◐', bad: '✕', over: '○', note: '▲' } as const;

type Meaning = keyof typeof SHAPES;

const STATES: Readonly<Record<string, readonly [word: string, meaning: Meaning]>> = {
  // Payments
  PENDING: ['Pending', 'open'],
  UNKNOWN: ['Outcome unknown', 'note'],
  AUTHORIZED: ['Authorized', 'open'],
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
  // Webhooks and their deliveries
  PAUSED: ['Paused', 'over'],
  FAILING: ['Failing', 'bad'],
  delivered: ['Arrived', 'good'],
  retrying: ['To be tried again', 'note'],
  failed: ['Not delivered', 'bad'],
  // Findings of the node
  ok: ['Fine', 'good'],
  warning: ['Look at it', 'note'],
  fault: ['Wrong', 'bad'],
  // Approvals
  pending: ['Waits for you', 'open'],
  approved: ['Approved', 'good'],
  denied: ['Denied', 'bad'],
  expired: ['Expired', 'over'],
};

export function Status({ state }: { readonly state: string }) {
  const [word, meaning] = STATES[state] ?? [state, 'over'];
  return (
    <span class={`status ${meaning}`}>
      <span aria-hidden="true">{SHAPES[meaning]}</span> {word}
    </span>
  );
}
