/**
 * What a client of protocol 2026-07-28 asks to be told of (`subscriptions/listen`), a request that stays open. Each server is asked for the
 * same. Of its tools the guard tells itself, since what a client is served changes also when a person accepts it.
 */
import { SUBSCRIPTION_ID_META_KEY } from '@modelcontextprotocol/server';
import { z } from 'zod';
import type { LongRequest, RpcId, RpcMessage, RpcResponse, UpstreamLink } from './upstreamLink.ts';

const SubscriptionFilter = z.object({
  toolsListChanged: z.boolean().optional(),
  promptsListChanged: z.boolean().optional(),
  resourcesListChanged: z.boolean().optional(),
  resourceSubscriptions: z.array(z.string()).optional(),
});
type SubscriptionFilter = z.infer<typeof SubscriptionFilter>;

/** What one server is asked for. */
interface Part {
  readonly link: UpstreamLink;
  readonly request: LongRequest;
  /** What it agrees to tell of; nothing where it knows no such request. */
  readonly honored: Promise<SubscriptionFilter>;
  readonly acknowledge: (honored: SubscriptionFilter) => void;
}

interface ListenStream {
  readonly parts: readonly Part[];
  /** Resolved once the client knows what it is told of, which comes first. */
  readonly acknowledged: Promise<void>;
  readonly end: () => void;
}

const MOST = 100;
/** A server that does not acknowledge for so long tells of nothing. */
const ACKNOWLEDGE_MS = 5_000;
const ACKNOWLEDGED = 'notifications/subscriptions/acknowledged';

export class ListenStreams {
  readonly #links: readonly UpstreamLink[];
  readonly #send: (message: RpcMessage, related: RpcId) => void;
  /** By the ids that the client gave them. */
  readonly #open = new Map<RpcId, ListenStream>();
  /** Those that are told when the tools change. */
  readonly #ofTools = new Set<RpcId>();

  /** @param send to the client, by way of an open request of its own */
  constructor(links: readonly UpstreamLink[], send: (message: RpcMessage, related: RpcId) => void) {
    this.#links = links;
    this.#send = send;
  }

  /** @returns the answer, once the client or a server that tells of something has ended it */
  async listen({ params }: RpcMessage, id: RpcId): Promise<RpcResponse> {
    const { data: filter } = SubscriptionFilter.safeParse(params?.['notifications']);
    if (filter === undefined)
      return { error: { code: -32602, message: 'params.notifications must say what the client is to be told of.' } };
    if (this.#open.size >= MOST || this.#open.has(id))
      return {
        error: { code: -32603, message: `There are ${MOST} streams at most, each with an id of its own.` },
      };
    const [acknowledged, acknowledge] = settleable<void>();
    const [ended, end] = settleable<void>();
    const parts = this.#links.map((link) => openPart(link, params, end));
    this.#open.set(id, { parts, acknowledged, end });
    try {
      const honored = await Promise.race([Promise.all(parts.map((part) => part.honored)), ended.then(() => [])]);
      const agreed = together([{ toolsListChanged: filter.toolsListChanged }, ...honored]);
      if (agreed.toolsListChanged === true) this.#ofTools.add(id);
      this.#tell(id, { jsonrpc: '2.0', method: ACKNOWLEDGED, params: { notifications: agreed } });
      acknowledge();
      if (Object.keys(agreed).length > 0) await ended;
    } finally {
      this.#open.delete(id);
      this.#ofTools.delete(id);
      for (const { request } of parts) request.cancel();
    }
    return { result: { resultType: 'complete', _meta: { [SUBSCRIPTION_ID_META_KEY]: id } } };
  }

  /** The client wants no more of it; nothing where there is none of that id. */
  cancel(id: RpcId): void {
    const stream = this.#open.get(id);
    // It is told nothing more, nor what was agreed on.
    this.#open.delete(id);
    stream?.end();
  }

  /** Tells of what the guard itself knows. */
  toolsChanged(): void {
    for (const id of this.#ofTools) this.#tell(id, { jsonrpc: '2.0', method: 'notifications/tools/list_changed' });
  }

  /** Gives on what a server tells. @returns whether it is of such a stream */
  take(link: UpstreamLink, message: RpcMessage): boolean {
    const named = metaOf(message)?.[SUBSCRIPTION_ID_META_KEY];
    if (named === undefined) return false;
    // One within this process may tell before its part is known here.
    queueMicrotask(() => this.#give(link, named, message));
    return true;
  }

  #give(link: UpstreamLink, named: unknown, message: RpcMessage): void {
    for (const [id, { parts, acknowledged }] of this.#open) {
      const part = parts.find((each) => each.link === link && each.request.id === named);
      if (part === undefined) continue;
      if (message.method === ACKNOWLEDGED)
        part.acknowledge(SubscriptionFilter.safeParse(message.params?.['notifications']).data ?? {});
      else void acknowledged.then(() => this.#tell(id, message));
    }
  }

  /** Each message says of which stream it is. */
  #tell(id: RpcId, message: RpcMessage): void {
    if (!this.#open.has(id)) return;
    const _meta = { ...metaOf(message), [SUBSCRIPTION_ID_META_KEY]: id };
    this.#send({ ...message, params: { ...message.params, _meta } }, id);
  }
}

/** @param end is called once a server ends what it tells of: then the client knows that it has to ask again */
function openPart(link: UpstreamLink, params: RpcMessage['params'], end: () => void): Part {
  const request = link.open('subscriptions/listen', params);
  const [honored, acknowledge] = settleable<SubscriptionFilter>();
  const timer = setTimeout(() => acknowledge({}), ACKNOWLEDGE_MS);
  timer.unref();
  const isTelling = honored.then((told) => Object.keys(together([told])).length > 0);
  void request.ended.then(async () => {
    clearTimeout(timer);
    acknowledge({});
    if (await isTelling) end();
  });
  return { link, request, honored, acknowledge };
}

/** All that one of them tells of. */
function together(filters: readonly SubscriptionFilter[]): SubscriptionFilter {
  const all: { -readonly [Name in keyof SubscriptionFilter]: SubscriptionFilter[Name] } = {};
  for (const name of ['toolsListChanged', 'promptsListChanged', 'resourcesListChanged'] as const)
    if (filters.some((filter) => filter[name] === true)) all[name] = true;
  const resources = new Set(filters.flatMap(({ resourceSubscriptions = [] }) => resourceSubscriptions));
  if (resources.size > 0) all.resourceSubscriptions = [...resources];
  return all;
}

function metaOf({ params }: RpcMessage): Readonly<Record<string, unknown>> | undefined {
  return params?.['_meta'] as Readonly<Record<string, unknown>> | undefined;
}

/** A promise, and what settles it; once more changes nothing. */
function settleable<Value>(): [Promise<Value>, (value: Value) => void] {
  let settle: (value: Value) => void = () => {};
  const promise = new Promise<Value>((resolve) => {
    settle = resolve;
  });
  return [promise, settle];
}
