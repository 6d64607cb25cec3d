// Has the compatibility kit of the A2A standard look at the standard endpoint of a fresh node (its branch 1.0-dev, JSON-RPC).
//   TCK_DIR=/path/to/a2a-tck npm run test:tck     (TCK_PYTHON names the Python that has what the kit needs; python3 without it)
// The kit expects an agent that follows its scenarios' words. A proxy stands between: it sends a real exchange in the place of
// each scenario, adds the credential that the kit does not send, and gives each message an id of its own.
import { spawn } from 'node:child_process';
import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const KIT = process.env.TCK_DIR;
const PYTHON = process.env.TCK_PYTHON ?? 'python3';
const KEY = `ak_test_${'T'.repeat(32)}`;
const SHOP = 'shop.example';
/** Longer than the kit waits for a stream to show that it is open. */
const TOUCH_AFTER_MS = 6000;

if (KIT === undefined || !existsSync(join(KIT, 'tests', 'compatibility'))) {
  console.error('TCK_DIR must be a checkout of github.com/a2aproject/a2a-tck, branch 1.0-dev.');
  process.exit(2);
}

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const dataDir = mkdtempSync(join(tmpdir(), 'countersign-tck-'));
const proxy = createServer((asked, answer) => {
  pass(asked, answer).catch((error) => {
    // A kit that has seen enough of a stream goes.
    if (error.name !== 'AbortError') console.error(error);
    answer.destroy();
  });
});
await new Promise((resolve) => proxy.listen(0, '127.0.0.1', resolve));
const baseUrl = `http://localhost:${proxy.address().port}`;
const port = await freePort();
const node = `http://127.0.0.1:${port}`;
const served = spawn(process.execPath, [join(root, 'bin', 'countersign.js'), 'serve'], {
  env: {
    ...process.env,
    DATA_DIR: dataDir,
    PORT: String(port),
    BASE_URL: baseUrl,
    BOOTSTRAP_API_KEY: KEY,
    LOG_LEVEL: 'error',
    SANDBOX_RATE_PER_MINUTE: '100000',
    SANDBOX_BURST: '100000',
  },
  stdio: ['ignore', 'ignore', 'inherit'],
});
let code = 1;
let agentDid;
try {
  await ready();
  agentDid = await addAgent();
  // The sandbox's own policy takes a few intents an hour.
  const spend = { amount_cap: 100, presence_cap: 200, currency: 'USD' };
  await rest('/ap2/admin/policies', { name: 'Kit', rules: { version: '2.0', spend } });
  const args = ['-m', 'pytest', 'tests/compatibility', '--transport', 'jsonrpc', '--sut-host', baseUrl];
  const kit = spawn(PYTHON, [...args, '-q', '-p', 'no:cacheprovider', ...process.argv.slice(2)], {
    cwd: KIT,
    stdio: 'inherit',
  });
  code = await new Promise((resolve) => kit.once('exit', resolve));
} finally {
  proxy.close();
  proxy.closeAllConnections();
  served.kill('SIGTERM');
  await new Promise((resolve) => served.once('exit', resolve));
  rmSync(dataDir, { recursive: true, force: true });
}
process.exit(code ?? 1);

async function pass(asked, answer) {
  const chunks = [];
  for await (const chunk of asked) chunks.push(chunk);
  let body = Buffer.concat(chunks);
  // The kit speaks 1.0, and takes the card without saying so.
  const headers = { 'a2a-version': '1.0', ...asked.headers, authorization: `Bearer ${KEY}` };
  if (asked.method === 'POST') body = Buffer.from(await rewritten(body.toString()));
  for (const name of ['host', 'content-length', 'connection']) delete headers[name];
  const init = asked.method === 'POST' ? { method: 'POST', headers, body } : { method: asked.method, headers };
  const stop = new AbortController();
  answer.once('close', () => stop.abort());
  const response = await fetch(node + asked.url, { ...init, signal: stop.signal });
  const {
    connection: _,
    'content-length': length,
    'content-encoding': __,
    ...passed
  } = Object.fromEntries(response.headers);
  answer.writeHead(response.status, length === undefined ? passed : { ...passed, 'content-length': length });
  if (response.body !== null) for await (const chunk of response.body) answer.write(chunk);
  answer.end();
}

/** The request with the exchange that its scenario stands for. What is not a valid message stays as it is. */
async function rewritten(text) {
  let call;
  try {
    call = JSON.parse(text);
  } catch {
    return text;
  }
  const message = call?.params?.message;
  if (typeof message?.messageId !== 'string' || !Array.isArray(message.parts)) return text;
  const scenario = message.messageId;
  if (!/^(tck|test)-/.test(scenario)) return text;
  message.messageId = `${scenario}-${randomUUID()}`;
  const isPlain =
    message.parts.length > 0 &&
    message.parts.every((part) => typeof part?.text === 'string' && part.mediaType === undefined);
  const taskId = message.taskId ?? message.task_id;
  if (!isPlain || (taskId !== undefined && !/^tck-complete-task/.test(scenario))) return JSON.stringify(call);
  const data =
    taskId === undefined
      ? await exchangeFor(scenario, call.method)
      : { 'countersign.purchase': { cartVc: await cart(12) } };
  if (data !== undefined) message.parts.push({ data });
  return JSON.stringify(call);
}

async function exchangeFor(scenario, method) {
  if (/^tck-message-response/.test(scenario)) return undefined;
  if (/^tck-input-required/.test(scenario)) return { 'countersign.purchase': { intent: intentOf(40) } };
  if (/^tck-reject-task/.test(scenario)) return { 'countersign.intent': intentOf(900) };
  if (/^test-resubscribe/.test(scenario)) return touchedLater();
  if (method === 'SendStreamingMessage') return payment();
  return { 'countersign.intent': intentOf(40) };
}

/** A payment works on, hands over its artifact, and completes. */
async function payment() {
  const { intentVc } = await rest('/ap2/intents', intentOf(40));
  const cartVc = await cart(12);
  const { approvalToken } = await rest('/ap2/carts/validate', { intentVc, cartVc });
  return { 'countersign.payment': { approvalToken } };
}

/** A task that stays open for a while: it waits for a person, and gets a proof of presence later. */
async function touchedLater() {
  const { intentVc } = await rest('/ap2/intents', intentOf(180));
  const cartVc = await cart(150);
  setTimeout(async () => {
    const { hpProof } = await rest('/ap2/demo/hp-proof', { agentDid, freshnessSeconds: 300 });
    const { tasks } = await rpc('ListTasks', { status: 'TASK_STATE_AUTH_REQUIRED' });
    for (const { id: taskId } of tasks) {
      const parts = [{ data: { 'countersign.cart': { hpProof } } }];
      await rpc('SendMessage', { message: { messageId: randomUUID(), role: 'ROLE_USER', taskId, parts } });
    }
  }, TOUCH_AFTER_MS);
  return { 'countersign.cart': { intentVc, cartVc } };
}

async function cart(amount) {
  return (await rest('/ap2/demo/cart', { payerDid: agentDid, domain: SHOP, amount, currency: 'USD' })).cartVc;
}

function intentOf(maxAmount) {
  return { agentDid, principalDid: agentDid, request: { maxAmount, currency: 'USD', vendorHints: { domain: SHOP } } };
}

async function rpc(method, params) {
  return (await rest('/a2a/v1', { jsonrpc: '2.0', id: 1, method, params })).result;
}

async function rest(path, body) {
  const response = await fetch(node + path, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${KEY}` },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${path}: ${await response.text()}`);
  return response.json();
}

async function addAgent() {
  const { x } = generateKeyPairSync('ed25519').publicKey.export({ format: 'jwk' });
  return (await rest('/ap2/agents', { name: 'compatibility kit', publicKey: base58(Buffer.from(x, 'base64url')) })).did;
}

function base58(bytes) {
  const digits = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';
  let text = '';
  for (let value = BigInt(`0x${bytes.toString('hex')}`); value > 0n; value /= 58n)
    text = digits[Number(value % 58n)] + text;
  return '1'.repeat(bytes.findIndex((byte) => byte !== 0)) + text;
}

async function ready() {
  for (let tries = 0; tries < 600; tries += 1) {
    if ((await fetch(`${node}/readyz`).catch(() => undefined))?.ok) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error('The node was not ready within 60 s.');
}

function freePort() {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}
