/** Examples: a webhook is made, tried, changed, looked up and deleted. */
import { WEBHOOK_EXAMPLES } from '../../../protocol/webhook/exampleEvents.ts';
import { AGENT, AT, INTENT, PRINCIPAL } from './story/story.ts';

const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwLdKQ9r8GKYo=';
const NEW_SECRET = 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oDLdKQ9r8GKYo=';

const webhook = {
  id: 'wh_01m7yh6hz4d7g0j3m6p9s2v5y8',
  url: 'https://backend.shop.example/countersign',
  events: ['payment.authorized', 'payment.captured', 'policy.violation'],
  status: 'ACTIVE',
  createdAt: AT,
} as const;
const events = [...webhook.events];
const shown = { ...webhook, events };

const log = {
  id: 'whl_01m7yh6hz7f0j3m6p9s2v5y8b1',
  eventType: 'payment.authorized',
  url: webhook.url,
  status: 200,
  duration: 41,
  deliveredAt: AT,
  webhookId: webhook.id,
  eventId: 'evt_01m7yh6hz5e8h1k4n7q0t3w6z9',
  attempt: 1,
  outcome: 'delivered',
  answer: 'ok',
};

const POSTED = {
  id: log.eventId,
  type: log.eventType,
  created: AT,
  data: WEBHOOK_EXAMPLES['payment.authorized'],
  context: { agentDid: AGENT, principalDid: PRINCIPAL, intentId: INTENT },
};

const CURSOR = 'eyJzZXEiOjQyLCJpZCI6ImV2dF8wMW03eWg2aHo1ZThoMWs0bjdxMHQzdzZ6OSJ9';

export const webhookExamples = {
  createWebhook: { input: { url: webhook.url, events }, output: { ...shown, secret: SECRET } },
  listWebhooks: { input: { limit: 20 }, output: { data: [shown], hasMore: false, cursor: null } },
  getWebhook: { input: { id: webhook.id }, output: { ...shown, waiting: { pending: 0, held: 0 } } },
  testWebhook: { input: { id: webhook.id, event: 'payment.authorized' as const }, output: log },
  listWebhookLogs: {
    input: { webhookId: webhook.id, limit: 20 },
    output: { logs: [log], hasMore: false, cursor: null },
  },
  getWebhookLog: { input: { id: log.id }, output: { ...log, request: JSON.stringify(POSTED) } },
  resendWebhook: { input: { id: log.id }, output: { ...log, id: 'whl_01m7yh6hz8g1k4n7q0t3w6z9c2' } },
  rotateWebhookSecret: {
    input: { id: webhook.id },
    output: { ...shown, secret: NEW_SECRET, previousSecretUntil: '2026-11-22T07:47:41.449Z' },
  },
  updateWebhook: {
    input: { id: webhook.id, status: 'DISABLED' as const },
    output: { ...shown, status: 'DISABLED', disabledReason: 'paused' },
  },
  streamEvents: {
    notPlayed: 'It does not end by itself.',
    input: {},
    output: 'event: change\nid: eyJzZXEiOjd9\ndata: {"types":["INTENT_ISSUED"]}\n\n',
  },
  tailEvents: {
    input: { cursor: CURSOR, wait: 20 },
    output: {
      events: [POSTED],
      cursor: CURSOR,
    },
  },
  showListenSecret: { input: {}, output: { secret: 'whsec_plJ3nmyCDGBKInavdOK15jsl9rfYc1F0JdKQ9r8GKYo=' } },
  deleteWebhook: { input: { id: webhook.id } },
} as const;
