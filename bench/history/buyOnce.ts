/** What a history is like: one real purchase. */
import { makeMessage, type Peer } from '../../test/support/peer.ts';
import { makeCarts } from '../buyer.ts';
import { adminRequest, type BenchNode, intentBody } from '../node.ts';

/** The members of an answer, as the node's own types have them. */
// biome-ignore lint/suspicious/noExplicitAny: answers are looked into freely, in benchmarks only
type Loose = any;

/** One purchase in a session, for all others to be like; and a subscription that attempts can be of. */
export async function buyOnce(
  node: BenchNode,
): Promise<{ transactionId: string; tenantId: string; webhookId: string }> {
  const agent = node.agents[0] as Peer;
  const { server } = node;
  const say = async (type: string, body: object) => {
    const message = makeMessage(agent, { type, to: node.issuerDid, body: body as never, contextId: 'model-context' });
    const call = { jsonrpc: '2.0', id: 1, method: 'a2a/message', params: { message } };
    const answer = (await adminRequest(server, 'POST', '/a2a/gateway', call)) as { result?: { message: Loose } };
    if (answer.result === undefined) throw new Error(`${type} was answered ${JSON.stringify(answer)}`);
    return answer.result.message.body;
  };
  const did = { contextId: 'model-context', agentDid: agent.did, userDid: agent.did };
  await adminRequest(server, 'POST', '/a2a/sessions', did);
  const { intentVc } = await say('IntentMandate', intentBody(node, agent));
  const { approvalToken } = await say('CartMandate', { intentVc, cartVc: makeCarts(node, 1)[0] });
  const { pmVc } = await say('PaymentMandate', { approvalToken });
  const path = `/ap2/payments/${pmVc.credentialSubject.mandateId}`;
  await adminRequest(server, 'POST', `${path}/capture`, {});
  const { transactionId } = await adminRequest(server, 'GET', path);
  const { tenantId } = await adminRequest(server, 'GET', '/ap2/auth/me');
  const hook = { url: 'http://127.0.0.1:9/', events: ['agent.revoked'] };
  const { id } = await adminRequest(server, 'POST', '/ap2/admin/webhooks', hook);
  return { transactionId: String(transactionId), tenantId: String(tenantId), webhookId: String(id) };
}
