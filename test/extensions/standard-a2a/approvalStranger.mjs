// A buyer that knows A2A, WebAuthn and the page of the approval extension, and nothing of this project: stock libraries alone.
// It buys, tells where the person is asked, and prints what it makes of the decision and of nine altered ones.
import { createHash, randomUUID } from 'node:crypto';
import { SendMessageRequest, Task } from '@a2a-js/sdk';
import { ClientFactory, DefaultAgentCardResolver, JsonRpcTransportFactory } from '@a2a-js/sdk/client';
import { verifyAuthenticationResponse } from '@simplewebauthn/server';
import { isoCBOR } from '@simplewebauthn/server/helpers';
import canonicalize from 'canonicalize';
import { calculateJwkThumbprint } from 'jose';

const URI = 'urn:countersign:a2a:approval:v1';
const { NODE, KEY, INTENT, CART } = process.env;
const headers = { Authorization: `Bearer ${KEY}`, 'A2A-Extensions': URI };
const fetchImpl = (url, init) => fetch(url, { ...init, headers: { ...init?.headers, ...headers } });
const cardResolver = new DefaultAgentCardResolver();
const factory = new ClientFactory({ transports: [new JsonRpcTransportFactory({ fetchImpl })], cardResolver });
const client = await factory.createFromUrl(NODE);
const card = await (await fetch(`${NODE}/.well-known/agent-card.json`, { headers: { 'A2A-Version': '1.0' } })).json();
const { params } = card.capabilities.extensions.find(({ uri }) => uri === URI);

const sha256 = (...parts) => parts.reduce((hash, each) => hash.update(each), createHash('sha256')).digest();
const bytes = (text) => Buffer.from(text, 'base64url');
const partOf = (parts, name) => parts.find(({ metadata }) => metadata?.[URI])?.data[name];
const send = async (data, taskId = '') => {
  const message = { messageId: randomUUID(), role: 'ROLE_USER', parts: [{ data }], taskId };
  return Task.toJSON(await client.sendMessage(SendMessageRequest.fromJSON({ message })));
};

const begun = await send({ 'countersign.purchase': { intent: JSON.parse(INTENT) } });
const { proof: _, ...document } = JSON.parse(CART);
let task = await send({ 'countersign.purchase': { cartVc: JSON.parse(CART) } }, begun.id);
const request = partOf(task.status.message.parts, 'approval.request');
console.log(JSON.stringify({ url: request.url }));
while (['TASK_STATE_AUTH_REQUIRED', 'TASK_STATE_WORKING'].includes(task.status.state)) {
  await new Promise((resolve) => setTimeout(resolve, 50));
  task = Task.toJSON(await client.getTask({ id: task.id, tenant: '' }));
}
const decision = partOf(task.artifacts.at(-1).parts, 'approval.decision');

async function isApproved({ outcome, decidedAt, binding, random, key, rpId, origin, assertion }, used = []) {
  const documentHash = `sha256:${sha256(canonicalize(document)).toString('hex')}`;
  const { total, currency, merchant } = document.credentialSubject;
  const same = binding.amount === total && binding.currency === currency && binding.merchant === merchant;
  if (binding.cartHash !== documentHash || !same) return false;
  if (outcome !== 'approved' || binding.decision !== 'approve' || bytes(random).length !== 32) return false;
  if (rpId !== params.rpId || origin !== params.origin) return false;
  const known = request.approvers.flatMap(({ keys = [] }) => keys);
  if (!known.includes(await calculateJwkThumbprint(key))) return false;
  if (!(Date.parse(decidedAt) < Date.parse(request.expiresAt)) || used.includes(random)) return false;
  const { credentialId: id, ...response } = assertion;
  const cose = new Map([
    [1, 2],
    [3, -7],
    [-1, 1],
    [-2, bytes(key.x)],
    [-3, bytes(key.y)],
  ]);
  const { verified } = await verifyAuthenticationResponse({
    response: { id, rawId: id, type: 'public-key', response, clientExtensionResults: {} },
    expectedChallenge: sha256(bytes(random), sha256(canonicalize(binding))).toString('base64url'),
    expectedOrigin: origin,
    expectedRPID: rpId,
    requireUserVerification: true,
    credential: { id, publicKey: Uint8Array.from(isoCBOR.encode(cose)), counter: 0 },
  }).catch(() => ({ verified: false }));
  return verified;
}

const { binding, assertion, random, key } = decision;
const flipped = (text) => `${text.slice(0, 20)}${text[20] === 'A' ? 'B' : 'A'}${text.slice(21)}`;
const otherClient = Buffer.from(String(bytes(assertion.clientDataJSON)).replace('webauthn.get', 'webauthn.xxx'));
const altered = [{ binding: { ...binding, amount: 1 } }, { binding: { ...binding, merchant: 'evil.example' } }];
altered.push({ binding: { ...binding, memo: 'x' } }, { binding: { ...binding, decision: 'deny' } });
altered.push({ random: flipped(random) }, { origin: 'https://evil.example' }, { key: { ...key, x: flipped(key.x) } });
altered.push({ assertion: { ...assertion, signature: flipped(assertion.signature) } });
altered.push({ assertion: { ...assertion, clientDataJSON: otherClient.toString('base64url') } });
const verdicts = await Promise.all(altered.map((change) => isApproved({ ...decision, ...change })));
console.log(JSON.stringify({ state: task.status.state, approved: await isApproved(decision), verdicts }));
