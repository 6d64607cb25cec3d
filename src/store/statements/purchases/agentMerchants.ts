/** At which merchants each agent has had a payment authorized: a row that is written once, since most purchases are at a merchant that the agent has paid. */
import { exists, type Script } from '../../store.ts';
import { insertInto, table, text } from '../tableDefinition.ts';

export const agentMerchants = table(
  'agent_merchants',
  ['tenant_id', 'agent_did', 'merchant'],
  {
    tenant_id: text,
    agent_did: text,
    merchant: text,
    /** The payment with the smallest id of those that were authorized. */
    first_payment: text,
  },
  {
    retention: { kept: 'as long as the payments that it tells of' },
    isTestData: true,
  },
);

const insertFirst = insertInto(
  agentMerchants,
  `ON CONFLICT (tenant_id, agent_did, merchant) DO UPDATE SET first_payment = excluded.first_payment
     WHERE excluded.first_payment < agent_merchants.first_payment`,
);

/** Notes that an agent's payment was authorized. */
export function noteMerchant(payment: {
  readonly tenant_id: string;
  readonly agent_did: string;
  readonly merchant: string;
  readonly mandate_id: string;
}): Script<boolean> {
  const { tenant_id, agent_did, merchant, mandate_id: first_payment } = payment;
  return insertFirst({ tenant_id, agent_did, merchant, first_payment });
}

/** A condition on payments: that the agent has paid the merchant is noted, of this payment or of one with a smaller id. */
export const IS_MERCHANT_NOTED = `EXISTS (SELECT 1 FROM agent_merchants WHERE agent_merchants.tenant_id = payments.tenant_id
    AND agent_merchants.agent_did = payments.agent_did AND agent_merchants.merchant = payments.merchant
    AND agent_merchants.first_payment <= payments.mandate_id)`;

/** True when this agent had a payment at this merchant authorized before. @param before only payments with a smaller id */
export function hasPaidMerchant(
  tenantId: string,
  agentDid: string,
  merchant: string,
  before?: string,
): Script<boolean> {
  const sql = 'SELECT 1 FROM agent_merchants WHERE tenant_id = ? AND agent_did = ? AND merchant = ?';
  if (before === undefined) return exists(sql, tenantId, agentDid, merchant);
  return exists(`${sql} AND first_payment < ?`, tenantId, agentDid, merchant, before);
}
