/** What grows beside the purchases themselves: sessions, requests for approval, shared payment tokens, webhook attempts. */
import type { Buyers } from './fillHistory.ts';

const RANGE = 'f.n >= ? AND f.n < ?';

const sessions = ({ tenantId }: Buyers) => `
  INSERT INTO sessions (tenant_id, context_id, agent_did, user_did, status, message_count, intent_mandate_id, permit_id,
      created_at, expires_at, place)
  SELECT '${tenantId}', f.context, f.agent, f.agent, CASE f.n % 40 WHEN 0 THEN 'EXPIRED' ELSE 'COMPLETED' END, 3,
    'intent_' || f.stem, 'pm_' || f.stem, f.at, f.at + 1800000, 'ses_' || f.stem
  FROM bench_fill AS f WHERE ${RANGE} AND f.n % 10 = 0`;

const approvalRequests = ({ tenantId }: Buyers) => `
  INSERT INTO approval_requests (id, tenant_id, status, agent_did, principal_did, intent_id, transaction_id, cart_hash,
      amount_minor, currency, merchant, items, causes, created_at, expires_at, decided_at, cart)
  SELECT 'apr_' || f.stem, '${tenantId}', CASE f.n / 5 % 4 WHEN 0 THEN 'denied' WHEN 1 THEN 'expired' ELSE 'approved' END,
    f.agent, f.agent, 'intent_' || f.stem, 'txn_' || f.stem, 'sha256:' || f.stem, 15000, 'USD',
    CASE f.n / 5 % 3 WHEN 0 THEN 'rare.example' ELSE 'shop.example' END,
    '[{"name":"A thing","price":150,"quantity":1}]',
    '[{"cause":"threshold","message":"150.00 USD is over the 100.00 that need a person."}]', f.at, f.at + 900000,
    f.at + 60000, '{}'
  FROM bench_fill AS f WHERE ${RANGE} AND f.n % 5 = 0`;

const sharedPaymentTokens = ({ tenantId }: Buyers) => `
  INSERT INTO shared_payment_tokens (id, tenant_id, status, merchant_domain, amount_minor, currency, created_at, expires_at)
  SELECT 'spt_' || f.stem, '${tenantId}', CASE f.n / 5 % 4 WHEN 0 THEN 'USED' WHEN 1 THEN 'REVOKED' ELSE 'EXPIRED' END,
    'shop.example', 1000 + f.n % 1000, 'USD', f.at, f.at + 300000
  FROM bench_fill AS f WHERE ${RANGE} AND f.n % 5 = 1`;

const webhookAttempts = ({ tenantId, webhookId }: Buyers) => `
  INSERT INTO webhook_attempts (tenant_id, id, delivery_id, webhook_id, event_id, event_type, url, attempt, outcome, status,
      duration_ms, answer, delivered_at)
  SELECT '${tenantId}', 'whl_' || f.stem, 'whd_' || f.stem, '${webhookId}', 'evt_' || f.stem, 'payment.authorized',
    'http://127.0.0.1:9/', 1, 'delivered', 200, 12, 'ok', f.at
  FROM bench_fill AS f WHERE ${RANGE} AND f.n % 2 = 0`;

/** Statements that add the rows of a range of purchases. */
export const OTHER_TABLES = [sessions, approvalRequests, sharedPaymentTokens, webhookAttempts];
