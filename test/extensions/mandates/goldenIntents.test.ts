/** Golden layers of a port of Verifiable Intent, as its authors signed them, presented to pay at the time that they were made for. */
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { memoryNode } from '../../support/memoryNode.ts';
import type { Loose } from '../../support/world.ts';

/** test-vectors/vectors.json of a port: not ours to copy. */
const VECTORS = process.env['VI_VECTORS'] ?? '';
const isThere = existsSync(VECTORS);
const skip = isThere ? false : 'VI_VECTORS names no vectors.json of Verifiable Intent';
const ROWS: readonly Loose[] = isThere
  ? JSON.parse(readFileSync(VECTORS, 'utf8')).verification_conformance.chain_scenarios
  : [];

const payloadOf = (token: string) => JSON.parse(Buffer.from(String(token.split('.')[1]), 'base64url').toString());

/** The hash of the checkout that a layer pays, from the disclosure that has it. */
function checkoutHashIn(token: string): string | undefined {
  const texts = token.split('~').slice(1).filter(Boolean);
  const values = texts.map((text) => JSON.parse(Buffer.from(text, 'base64url').toString()).at(-1));
  return values.find((value) => value?.transaction_id !== undefined)?.transaction_id;
}

describe('golden layers of a port', { skip }, () => {
  for (const row of ROWS) {
    // The port may be told to trust any issuer; a node is never.
    const isValid = Boolean(row.expected_valid) && !row.skip_issuer_verification;
    test(`${row.name}: ${isValid ? 'pays, once' : 'pays nothing'}`, async () => {
      const l2 = row.l2_payment_serialized ?? row.l2;
      const leaf: string = row.l3_payment ?? l2;
      const { aud, nonce } = payloadOf(leaf);
      const name = row.l3_payment ? 'l3_payment' : 'l2';
      const node = await memoryNode({ AP2_AUDIENCES: row[`expected_${name}_aud`] || aud });
      const { did: agentDid } = await node.agent();
      node.clock.now = Number(row.current_time) * 1000;
      if (row.issuer_public) {
        await node.run('addMandateIssuer', { name: 'Issuer', kind: 'card-issuer', jwk: row.issuer_public });
      }
      const body = {
        ...{ agentDid, nonce: row[`expected_${name}_nonce`] || nonce, checkoutJwtHash: checkoutHashIn(leaf) ?? 'none' },
        verifiableIntent: { l1: row.l1, l2, ...(row.l3_payment ? { l3Payment: row.l3_payment } : {}) },
      };
      const answer = await node.run('issuePaymentCredential', body);
      assert.equal(answer.allowed, isValid, JSON.stringify(answer.details));
      if (!isValid) return;
      const { pmVc, railResponse } = await node.run('mandatePayment', { approvalToken: answer.approvalToken });
      assert.equal(railResponse.status, 'requires_capture');
      assert.equal(pmVc.credentialSubject.merchant, 'tennis-warehouse.com');
      assert.deepEqual((await node.run('issuePaymentCredential', body)).reasonCodes, ['MANDATE_USED']);
    });
  }
});
