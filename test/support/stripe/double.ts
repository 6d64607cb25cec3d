/**
 * A double of Stripe's API: payment intents, refunds, tokens, idempotency keys and webhooks with a state of their
 * own, which fails on request in every way that a network and a server can.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { disputeStore } from './disputes.ts';
import { expansions, type Form, parseForm } from './form.ts';
import { type Intent, intentStore, showIntent } from './intents.ts';
import { refundStore, showRefund } from './refunds.ts';
import { Refusal } from './refusal.ts';
import { showToken, tokenStore } from './tokens.ts';
import { webhookSender } from './webhooks.ts';

export const STRIPE_KEY = 'sk_test_double51NotARealKey';
export const STRIPE_WEBHOOK_SECRET = 'whsec_doubleDoubleToilAndTrouble';

export const FAULTS = [
  'hangAfterCommit',
  'closeBeforeCommit',
  'closeAfterCommit',
  'truncated',
  'error500',
  'error500Stored',
  'tooMany',
] as const;
export type StripeFault = (typeof FAULTS)[number];

export interface StripeRequest {
  readonly method: string;
  readonly path: string;
  readonly raw: string;
  readonly form: Form;
  readonly key: string | undefined;
  readonly headers: IncomingMessage['headers'];
  /** How often this key was sent, this time included. */
  readonly nth: number;
}

export type StripeDouble = Awaited<ReturnType<typeof startStripe>>;

/** Amounts in minor units, times in seconds. */
interface DisputeParts {
  readonly amount?: number;
  readonly dueBy?: number;
}

interface Stored {
  readonly fingerprint: string;
  /** No other request gets an answer before. */
  readonly readyAt: number;
  readonly status: number;
  readonly body: string;
}

/** A request that hangs is at work for so long. */
const HANG_MS = 700;

export async function startStripe() {
  let serial = 0;
  const run = Math.random().toString(36).slice(2, 8);
  const newId = (prefix: string) => `${prefix}${run}${String(++serial).padStart(8, '0')}`;
  const webhooks = webhookSender(STRIPE_WEBHOOK_SECRET, newId);
  const intents = intentStore(newId, webhooks.tell, () => double.holdSeconds);
  const refunds = refundStore(newId, webhooks.tell, intents.find);
  const tokens = tokenStore(newId, webhooks.tell);
  const disputes = disputeStore();
  const requests: StripeRequest[] = [];
  const stored = new Map<string, Stored>();

  const server = createServer((request, response) => void serve(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const double = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** What a node needs to use it. */
    env: () => ({
      STRIPE_SECRET_KEY: STRIPE_KEY,
      STRIPE_WEBHOOK_SECRET,
      STRIPE_API_BASE: double.url,
    }),
    intents,
    refunds,
    tokens,
    disputes,
    webhooks,
    requests,
    holdSeconds: 7 * 24 * 3600,
    /** Which fault a request meets. */
    faultOf: (_request: StripeRequest): StripeFault | undefined => undefined,
    /** Whether the search has indexed everything; otherwise it finds nothing, as in its first minute. */
    indexed: false,
    /** How long a list makes one wait. */
    listMs: 0,
    /** True while no request gets an answer, and nothing happens. */
    down: false,
    /** Of all that was captured and not refunded, unless an amount is given. */
    dispute(intentId: string, reason = 'fraudulent', status = 'needs_response', more: DisputeParts = {}) {
      const intent = intents.find(intentId);
      const { amount = intent.amount_received - intent.amount_refunded, dueBy = null } = more;
      const object = {
        id: newId('dp_'),
        object: 'dispute',
        payment_intent: intentId,
        amount,
        currency: intent.currency,
        reason,
        status,
        evidence_details: { due_by: dueBy },
      };
      disputes.open(object.id);
      webhooks.tell('charge.dispute.created', object);
      const told = (status: string) => {
        const { evidence_details: details } = disputes.show(object.id);
        return { ...object, status, evidence_details: { ...object.evidence_details, ...details } };
      };
      return {
        id: object.id,
        update: (status: string) => webhooks.tell('charge.dispute.updated', told(status)),
        close: (status: string) => webhooks.tell('charge.dispute.closed', told(status)),
      };
    },
    /** Forgets the keys, as Stripe does after a day. */
    forgetKeys: () => stored.clear(),
    async close() {
      webhooks.close();
      await new Promise((resolve) => {
        server.close(resolve);
        server.closeAllConnections();
      });
    },
  };
  return double;

  async function serve(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const raw = await readAll(incoming).catch(() => undefined);
    if (raw === undefined || double.down) {
      incoming.socket.destroy();
      return;
    }
    const { pathname, search } = new URL(incoming.url ?? '/', double.url);
    const key = incoming.headers['idempotency-key']?.toString();
    const method = incoming.method ?? 'GET';
    const request: StripeRequest = {
      method,
      path: pathname,
      raw,
      form: parseForm(method === 'GET' ? search.slice(1) : raw),
      key,
      headers: incoming.headers,
      nth: 1 + requests.filter((one) => key !== undefined && one.key === key).length,
    };
    requests.push(request);
    const fault = double.faultOf(request);
    if (fault === 'closeBeforeCommit') return void incoming.socket.destroy();
    if (fault === 'tooMany')
      return answer(response, 429, { error: { type: 'rate_limit_error', message: 'Slow down.' } });
    if (fault === 'error500') return answer(response, 500, { error: { type: 'api_error', message: 'Oops.' } });

    if (method === 'GET' && pathname === '/v1/payment_intents') await pause(double.listMs);
    const isRepeated = key !== undefined && stored.has(key);
    const { status, body } = remembered(request, fault);
    if (fault === 'hangAfterCommit') return;
    if (fault === 'closeAfterCommit') return void incoming.socket.destroy();
    if (fault === 'truncated') {
      response.writeHead(status, { 'Content-Type': 'application/json', 'Content-Length': body.length });
      response.write(body.slice(0, body.length / 2), () => incoming.socket.destroy());
      return;
    }
    response.writeHead(status, {
      'Content-Type': 'application/json',
      'Request-Id': newId('req_'),
      ...(isRepeated ? { 'Idempotent-Replayed': 'true' } : {}),
    });
    response.end(body);
  }

  /** Does it once for each key, and gives the same answer again; the parameters must be the same too. */
  function remembered(request: StripeRequest, fault: StripeFault | undefined): { status: number; body: string } {
    const { key, method, path, raw } = request;
    if (key === undefined || method === 'GET') return perform(request);
    const fingerprint = `${method} ${path} ${raw}`;
    const before = stored.get(key);
    if (before !== undefined) {
      if (before.fingerprint !== fingerprint) {
        const message = 'Keys for idempotent requests can only be used with the same parameters.';
        return render(400, { error: { type: 'idempotency_error', message } });
      }
      if (before.readyAt > Date.now()) {
        const message = 'There is currently another in-progress request using this key.';
        return render(409, { error: { type: 'idempotency_error', code: 'idempotency_key_in_use', message } });
      }
      return before;
    }
    const done = perform(request);
    const oops = { error: { type: 'api_error', message: 'Oops, after all.' } };
    const result = fault === 'error500Stored' ? render(500, oops) : done;
    const readyAt = fault === 'hangAfterCommit' ? Date.now() + HANG_MS : 0;
    // What fails validation was never begun, so that its key stays free.
    if (result.status !== 400 && result.status !== 404) stored.set(key, { fingerprint, readyAt, ...result });
    return result;
  }

  function perform(request: StripeRequest): { status: number; body: string } {
    if (request.headers.authorization !== `Bearer ${STRIPE_KEY}`) {
      return render(401, { error: { type: 'invalid_request_error', message: 'Invalid API Key provided.' } });
    }
    try {
      return render(200, route(request));
    } catch (error) {
      if (error instanceof Refusal) return render(error.status, { error: error.facts });
      throw error;
    }
  }

  function route({ method, path, form }: StripeRequest): object {
    const [, , collection = '', id, action] = path.split('/');
    const charge = expansions(form).some((name) => name.endsWith('latest_charge'));
    switch (`${method} ${collection}${id === undefined ? '' : ' id'}${action === undefined ? '' : ` ${action}`}`) {
      case 'GET balance':
        return { object: 'balance', available: [], livemode: false };
      case 'POST payment_intents':
        return showIntent(form.shared_payment_granted_token === undefined ? intents.create(form) : sold(form), charge);
      case 'GET payment_intents':
        return listed(
          [...intents.intents.values()]
            .reverse()
            .filter(({ created }) => created >= Number((form.created as Form | undefined)?.gte ?? 0))
            .filter(({ created }) => created <= Number((form.created as Form | undefined)?.lte ?? Number.MAX_VALUE))
            .map((intent) => showIntent(intent, charge)),
          form,
        );
      case 'GET payment_intents id':
        if (id === 'search') return searched(form);
        return showIntent(intents.find(id as string), charge);
      case 'POST payment_intents id capture':
        return showIntent(intents.capture(id as string, form), charge);
      case 'POST payment_intents id cancel':
        return showIntent(intents.cancel(id as string, String(form.cancellation_reason)), charge);
      case 'POST refunds':
        return showRefund(refunds.create(form));
      case 'GET refunds':
        return listed(refunds.refunds.filter(({ intent }) => intent.id === form.payment_intent).map(showRefund), form);
      case 'POST shared_payment id':
        return showToken(tokens.create(form));
      case `GET shared_payment id ${action}`:
        return showToken(tokens.find(String(action)));
      case `POST shared_payment id ${action}`:
        return showToken(tokens.deactivate(String(path.split('/')[4]), 'revoked'));
      case 'GET disputes id':
        return disputes.show(id as string);
      case 'POST disputes id':
        return disputes.answer(id as string, form);
      default:
        throw new Refusal(404, { type: 'invalid_request_error', message: `Unrecognized request URL (${path}).` });
    }
  }

  /** A seller, who is another account, is paid with a token. */
  function sold(form: Form): Intent {
    const [amount, currency] = [Number(form.amount), String(form.currency)];
    const intent = intents.sell(amount, currency);
    tokens.take(String(form.shared_payment_granted_token), intent.id, amount, currency);
    intents.intents.set(intent.id, intent);
    return intent;
  }

  function searched(form: Form): object {
    const wanted = /^metadata\["mandate"\]:"(.+)"$/.exec(String(form.query))?.[1];
    const found = [...intents.intents.values()].filter(({ metadata }) => double.indexed && metadata.mandate === wanted);
    return { object: 'search_result', data: found.map((one) => showIntent(one)), has_more: false, url: '/v1' };
  }
}

function pause(milliseconds: number): Promise<void> {
  return milliseconds === 0 ? Promise.resolve() : new Promise((resolve) => setTimeout(resolve, milliseconds));
}

function listed(all: readonly object[], form: Form): object {
  const limit = Number(form.limit ?? 10);
  const after = all.findIndex((one) => (one as { id: string }).id === form.starting_after) + 1;
  const data = all.slice(after, after + limit);
  return { object: 'list', data, has_more: after + limit < all.length, url: '/v1' };
}

function render(status: number, value: object): { status: number; body: string } {
  return { status, body: JSON.stringify(value) };
}

function answer(response: ServerResponse, status: number, value: object): void {
  response.writeHead(status, { 'Content-Type': 'application/json' });
  response.end(JSON.stringify(value));
}

function readAll(request: IncomingMessage): Promise<string> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => resolve(Buffer.concat(chunks).toString('utf8')));
    request.on('error', reject);
  });
}
