/**
 * Appends an event to the tenant's evidence chain, in the script of the change it records, and with it the webhook
 * events of the same meaning.
 */
import { canonical, hashText } from '../../../protocol/credential/canonical.ts';
import { signEs256Jwt } from '../../../protocol/credential/es256Jwt.ts';
import { genesisHash, hashEvent } from '../../../protocol/evidence/chain.ts';
import type { DecisionEventType, EvidenceType, OccurrenceType } from '../../../protocol/evidence/eventTypes.ts';
import { toMinor } from '../../../protocol/money.ts';
import { type DecisionType, VERDICT_TYPE, verdictClaims } from '../../../protocol/policy/verdict.ts';
import type { WebhookData, WebhookEvent } from '../../../protocol/webhook/event.ts';
import { type EvidenceSource, webhooksOf, webhookTypesOf } from '../../../protocol/webhook/fromEvidence.ts';
import { isoTime } from '../../../protocol/wire/time.ts';
import type { Caller } from '../../access/caller.ts';
import { appendEvidence, findChainHead } from '../../store/statements/evidence/events.ts';
import { insertDelivery } from '../../store/statements/webhooks/deliveries.ts';
import { findWebhooksVersion, listSubscriptions } from '../../store/statements/webhooks/subscriptions.ts';
import { type Script, together } from '../../store/store.ts';
import { type Deps, type EventDeps, firstIssuer } from '../../usecase/deps.ts';
import type { Subscription } from '../../usecase/services.ts';
import type { DecisionCounter } from '../../usecase/useCase.ts';
import { storeEvent } from '../outbox/storeEvent.ts';

interface EventToRecord<Type extends EvidenceType = EvidenceType> {
  /** A new one unless given. */
  readonly id?: string;
  readonly eventType: Type;
  /** The agent that acted, or the issuer. */
  readonly actorDid: string;
  /** Facts and ids; never a secret or a token. */
  readonly data: Readonly<Record<string, unknown>>;
}

export function recordEvent(
  deps: EventDeps,
  tenantId: string,
  event: EventToRecord<OccurrenceType>,
  now: number,
): Script<void> {
  return record(deps, tenantId, event, now);
}

export type DecisionDeps = EventDeps & Pick<Deps, 'keys'> & DecisionCounter;

/** Records a decision on a purchase, or a step to it. */
export function recordDecision(
  deps: EventDeps & DecisionCounter,
  tenantId: string,
  event: EventToRecord<DecisionEventType>,
  now: number,
): Script<void> {
  return record(deps, tenantId, event, now);
}

/**
 * Records a decision, and signs the verdict on it where its caller asks for one.
 * @param formats in which the caller wants the answer
 * @param now milliseconds since the epoch
 * @returns the verdict, whose hash the event has; undefined where none was asked for
 */
export function* recordVerdict(
  deps: DecisionDeps,
  tenantId: string,
  { eventType, actorDid, data }: Omit<EventToRecord<DecisionType>, 'id'>,
  formats: readonly string[] | undefined,
  now: number,
): Script<string | undefined> {
  if (formats?.includes('verdict') !== true) {
    yield* record(deps, tenantId, { eventType, actorDid, data }, now);
    return undefined;
  }
  const id = deps.newId('evt_');
  const claims = verdictClaims({ eventType, id, data }, deps.settings.baseUrl, now);
  const verdict = signEs256Jwt(deps.keys.receiptSigner, claims, VERDICT_TYPE);
  const recorded = { ...data, verdict: hashText(deps.suite, verdict) };
  yield* record(deps, tenantId, { id, eventType, actorDid, data: recorded }, now);
  return verdict;
}

function* record(deps: EventDeps, tenantId: string, event: EventToRecord, now: number): Script<void> {
  const [head, version] = yield* together(findChainHead(tenantId), findWebhooksVersion(tenantId));
  const record = {
    id: event.id ?? deps.newId('evt_'),
    seq: (head?.seq ?? 0) + 1,
    eventType: event.eventType,
    actorDid: event.actorDid,
    data: event.data,
    dataText: canonical(event.data),
    hashPrev: head?.hash_curr ?? genesisHash(deps.suite, firstIssuer(deps), tenantId),
    createdAt: isoTime(now),
  };
  yield* appendEvidence(head, {
    tenant_id: tenantId,
    seq: record.seq,
    id: record.id,
    event_type: record.eventType,
    actor_did: record.actorDid,
    data: record.dataText,
    hash_prev: record.hashPrev,
    hash_curr: hashEvent(deps.suite, record),
    created_at: now,
    transaction_id: textOf(event.data.transactionId),
    context_id: textOf(event.data.contextId),
  });
  yield* emitWebhooks(deps, tenantId, record, version, now);
}

/** What recordEvent reads: a commit that will record an event loads it with its first statements. */
export function loadsOfEvent(tenantId: string): readonly Script<unknown>[] {
  return [findChainHead(tenantId), findWebhooksVersion(tenantId)];
}

/** Records what an administrator did, and who it was. */
export function recordAdminEvent(
  deps: EventDeps,
  caller: Caller,
  eventType: OccurrenceType,
  data: EventToRecord['data'],
  now: number,
): Script<void> {
  return recordNodeEvent(deps, caller.tenantId, eventType, { ...data, by: actedBy(caller) }, now);
}

const KINDS = { apiKey: 'key', session: 'user', did: 'agent', node: 'node' } as const;

/** Who acted, as events tell it; a person with the passkey that touched last, and when. */
export function actedBy({ kind, id, touch }: Caller) {
  const by = { kind: KINDS[kind], id };
  return touch === undefined ? by : { ...by, credentialId: touch.credentialId, touchedAt: isoTime(touch.at) };
}

/** Records an event whose actor is the node itself. */
export function* recordNodeEvent(
  deps: EventDeps,
  tenantId: string,
  eventType: OccurrenceType,
  data: EventToRecord['data'],
  now: number,
): Script<void> {
  yield* recordEvent(deps, tenantId, { eventType, actorDid: deps.issuer.did, data }, now);
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}

type EmitDeps = Pick<Deps, 'evidence' | 'newId' | 'settings' | 'suite' | 'tracing' | 'wake'>;

/** What a person is told much later says nothing any more. */
export const NOTICE_ATTEMPTS = 3;

/** @param version of the tenant's subscriptions, as this transaction sees it */
function* emitWebhooks(
  deps: EmitDeps,
  tenantId: string,
  recorded: EvidenceSource,
  version: string,
  now: number,
): Script<void> {
  if (version === '') return;
  const types = webhookTypesOf(recorded);
  if (types.length === 0) return;
  const subscriptions = yield* loadSubscriptions(deps, tenantId, version);
  if (!subscriptions.some(({ events }) => types.some((type) => events.has(type)))) return;
  // Of an approval some users are told later, when their turn comes.
  const later = (recorded.data['toldLater'] ?? []) as readonly (string | undefined)[];
  for (const event of webhooksOf(deps.suite, recorded, deps.settings.baseUrl)) {
    const wanting = subscriptions.filter((each) => wants(each, event) && !later.includes(each.userId));
    if (wanting.length > 0) {
      yield* storeEvent(deps, { id: event.id, tenantId, body: JSON.stringify(event) });
    }
    for (const { id, isPaused, userId } of wanting) {
      const attempts = deps.settings.webhookRetrySeconds.length;
      yield* insertDelivery({
        id: deps.newId('whd_'),
        tenant_id: tenantId,
        webhook_id: id,
        event_id: event.id,
        event_type: event.type,
        state: isPaused ? 'HELD' : 'PENDING',
        attempts: 0,
        max_attempts: userId !== undefined ? Math.min(NOTICE_ATTEMPTS, attempts) : attempts,
        next_at: now + (deps.settings.webhookRetrySeconds[0] ?? 0) * 1000,
        leased_by: null,
        created_at: now,
      });
      if (!isPaused) deps.wake.deliveries.wake(id);
    }
  }
}

function wants({ events, least }: Subscription, event: WebhookEvent): boolean {
  if (!events.has(event.type)) return false;
  if (least === undefined || event.type !== 'payment.authorized') return true;
  const { amount, currency } = event.data as WebhookData['payment.authorized'];
  return currency !== least.currency || toMinor(amount, currency, { allowZero: true }) >= least.minor;
}

function* loadSubscriptions(
  deps: Pick<Deps, 'evidence'>,
  tenantId: string,
  version: string,
): Script<readonly Subscription[]> {
  const known = deps.evidence.subscriptions.recall(tenantId, version);
  if (known !== undefined) return known;
  return deps.evidence.subscriptions.remember(tenantId, version, yield* listSubscriptions(tenantId));
}
