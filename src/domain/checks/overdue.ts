/** Checks for what is overdue: payments without an answer of their rail, deliveries that are held or not posted. */
import { failingBefore } from '../../../protocol/webhook/subscription.ts';
import { listFailingOf, listFailingWebhooks } from '../../store/statements/webhooks/subscriptions.ts';
import { all, type Reader, type Value } from '../../store/store.ts';
import { type Finding, fault, ok } from '../../usecase/finding.ts';

/** The node asks a rail again within seconds; after this long a person should look. */
const PAYMENT_MINUTES = 15;
/** A delivery that is due for this long is posted by no node. */
const DELIVERY_MINUTES = 5;
const MINUTE_MS = 60_000;
/** Of what is overdue so many are counted. */
const MOST_COUNTED = 100;

interface StuckPayment {
  readonly payment_id: string;
  readonly operation: string;
  readonly tries: number;
  readonly created_at: number;
}

interface FlaggedPayment {
  readonly mandate_id: string;
  readonly attention: string;
}

/** @param tenantId undefined for those of all tenants */
export async function checkPayments(store: Reader, now: number, tenantId?: string): Promise<Finding> {
  const check = 'payments';
  const flagged = await store.read(() =>
    all<FlaggedPayment>(
      `SELECT mandate_id, attention FROM payments WHERE ${whose(tenantId)} attention_at IS NOT NULL
       ORDER BY attention_at LIMIT ?`,
      ...whom(tenantId),
      MOST_COUNTED,
    ),
  );
  const [oldest] = flagged;
  if (oldest !== undefined) {
    const { mandate_id: id, attention } = oldest;
    return fault(
      check,
      `${countedOf(flagged.length, 'payment')} undecided; ${id}: ${attention}`,
      `look at it where it was paid, and see: countersign payment show ${id}`,
    );
  }
  const stuck = await store.read(() =>
    all<StuckPayment>(
      `SELECT payment_id, operation, tries, created_at FROM rail_attempts
       WHERE ${whose(tenantId)} state = 'OPEN' AND created_at < ? ORDER BY created_at LIMIT ?`,
      ...whom(tenantId),
      now - PAYMENT_MINUTES * MINUTE_MS,
      MOST_COUNTED,
    ),
  );
  const [first] = stuck;
  if (first === undefined) return ok(check, `No payment has waited for its rail for ${PAYMENT_MINUTES} minutes.`);
  const minutes = Math.round((now - first.created_at) / MINUTE_MS);
  return fault(
    check,
    `${countedOf(stuck.length, 'payment')} without an answer of the rail; the ${first.operation} of ${first.payment_id} ` +
      `waits for ${minutes} minutes, after ${first.tries} tries.`,
    `start the node, which asks again, and see: countersign payment show ${first.payment_id}`,
  );
}

interface StuckDeliveries {
  readonly webhook_id: string;
  readonly state: string;
  readonly count: number;
}

/** @param tenantId as in checkPayments */
export async function checkDeliveries(store: Reader, now: number, tenantId?: string): Promise<Finding> {
  const check = 'deliveries';
  const stuck = await store.read(() =>
    all<StuckDeliveries>(
      `SELECT webhook_id, state, COUNT(*) AS count FROM webhook_deliveries
       WHERE ${whose(tenantId)} ((state = 'HELD' AND NOT EXISTS (SELECT 1 FROM webhooks WHERE id = webhook_id AND status = 'ACTIVE'))
         OR (state = 'PENDING' AND next_at < ?)) GROUP BY webhook_id, state ORDER BY state, webhook_id`,
      ...whom(tenantId),
      now - DELIVERY_MINUTES * MINUTE_MS,
    ),
  );
  const [first] = stuck;
  if (first === undefined) return ok(check, 'No delivery is overdue.');
  const total = countOf(
    stuck.reduce((sum, { count }) => sum + count, 0),
    'delivery',
    'deliveries',
  );
  if (first.state === 'HELD') {
    return fault(
      check,
      `${total} held, as ${first.webhook_id} is paused; each is deleted after seven days.`,
      `see why: countersign webhook logs; then: countersign webhook resume ${first.webhook_id}`,
    );
  }
  return fault(check, `${total} due and not posted: no node is running.`, 'countersign serve');
}

/** Endpoints that nothing has reached for days: the node goes on trying, and only their owner knows what is wrong. */
export async function checkEndpoints(store: Reader, now: number, tenantId?: string): Promise<Finding> {
  const check = 'endpoints';
  const since = failingBefore(now);
  const failing = await store.read(() =>
    tenantId === undefined ? listFailingWebhooks(since, MOST_COUNTED) : listFailingOf(tenantId, since, MOST_COUNTED),
  );
  const [first] = failing;
  if (first === undefined) return ok(check, 'No endpoint has failed for days.');
  const begun = new Date(first.failing_since ?? 0).toISOString();
  return fault(
    check,
    `${countedOf(failing.length, 'endpoint')} not reached for five days; nothing arrives at that of ${first.id} since ${begun}.`,
    `see why: countersign webhook logs; then mend it, or pause it: countersign webhook pause ${first.id}`,
  );
}

/** The part of a condition that says whose rows are meant. */
function whose(tenantId: string | undefined): string {
  return tenantId === undefined ? '' : 'tenant_id = ? AND';
}

function whom(tenantId: string | undefined): Value[] {
  return tenantId === undefined ? [] : [tenantId];
}

/** As countOf, of what was counted up to a number. */
function countedOf(count: number, one: string): string {
  return countOf(count, one, count < MOST_COUNTED ? `${one}s` : `${one}s or more`);
}

function countOf(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? `${one} is` : `${many} are`}`;
}
