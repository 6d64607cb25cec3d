/** How an actor asks a node: with which credential, by which gate, and once more where no answer came. */
import { type Json, type JsonObject, makeDidProof, makeMessage, type Peer } from '../../support/peer.ts';
import type { Loose } from '../../support/world.ts';
import type { Owner } from '../machine/eventLoop.ts';
import { ADMIN_KEY, BASE_URL, type Question, type Told, type World } from '../world.ts';

/** Method and path of a use case over REST. */
export type Route = readonly [method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string];

/** By what an actor is known. */
export type Credential = { readonly peer: Peer } | { readonly apiKey: string } | 'none';

export const OWNER: Credential = { apiKey: ADMIN_KEY };

export interface Wish {
  readonly call: string;
  readonly route: Route;
  /** The body. */
  readonly input: JsonObject;
  /** What the path names, which is part of the input as well. */
  readonly named?: JsonObject;
  readonly key?: string;
  /** Where to ask; anywhere unless given. */
  readonly place?: number;
}

/** A request that is not spelled as REST spells it. */
export interface Posted {
  readonly call: string;
  /** As REST would have it. */
  readonly input: unknown;
  readonly key?: string;
  readonly path: string;
  readonly text: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Whether the credential goes into the headers; yes unless given. */
  readonly isProven?: boolean;
}

/** How long an actor asks for what it must have, in milliseconds. */
const SURE_MS = 3_600_000;

export type Answered = { readonly status: number; readonly body: Loose };

export class Desk {
  readonly world: World;
  readonly owner: Owner;
  readonly #name: string;
  readonly #credential: Credential;

  constructor(world: World, owner: Owner, credential: Credential) {
    this.world = world;
    this.owner = owner;
    this.#name = owner.name;
    this.#credential = credential;
  }

  pause(ms: number): Promise<void> {
    return this.world.pause(this.owner, ms);
  }

  /** One request over REST. @returns undefined where no answer came */
  rest({ call, route, input, named = {}, key, place = this.#anywhere() }: Wish): Promise<Answered | undefined> {
    const [method, path] = route;
    const members = key === undefined ? input : { ...input, idempotencyKey: key };
    const text = method === 'GET' || method === 'DELETE' ? undefined : JSON.stringify(members);
    const headers = this.#headers(method, path, text ?? '');
    const asked = { call, input: { ...named, ...input }, place, method, path, headers };
    return this.#ask({ ...asked, ...(text !== undefined && { text }) }, key);
  }

  /** One request at another gate than REST. @returns undefined where no answer came */
  post({ call, input, key, path, text, headers = {}, isProven = true }: Posted): Promise<Answered | undefined> {
    const proof = isProven ? this.#headers('POST', path, text) : {};
    const asked = { call, input, place: this.#anywhere(), method: 'POST', path, text };
    return this.#ask({ ...asked, headers: { ...proof, ...headers } }, key);
  }

  /** One message over A2A. @returns undefined where no answer came */
  message(call: string, message: JsonObject, place = this.#anywhere()): Promise<Answered | undefined> {
    const rpc = { jsonrpc: '2.0', id: String(message['id']), method: 'a2a/message', params: { message } };
    const text = JSON.stringify(rpc);
    const asked = { call, input: message['body'], place, method: 'POST', path: '/a2a/gateway', headers: {}, text };
    return this.#ask(asked, String(message['id']));
  }

  /** A message that this actor signs. @param to the node's DID @param id a new one unless given */
  sign(type: string, to: string, body: Json, id?: string): JsonObject {
    if (this.#credential === 'none' || !('peer' in this.#credential)) throw new Error('Only an agent signs messages.');
    return makeMessage(this.#credential.peer, { type, to, body, ...(id !== undefined && { id }) });
  }

  /** Asks until there is an answer that is no 5xx. */
  async surely(wish: Wish): Promise<Answered> {
    const until = this.world.loop.now + SURE_MS;
    for (let wait = 100; ; wait = Math.min(2 * wait, 5000)) {
      const told = await this.rest(wish);
      if (told !== undefined && told.status < 500) return told;
      if (this.world.loop.now > until) throw new Error(`${wish.call} has no answer: ${JSON.stringify(told)}`);
      await this.pause(wait);
    }
  }

  /** @returns all items of a list */
  async list(call: string, path: string, member = 'data'): Promise<Loose[]> {
    const items: Loose[] = [];
    for (let cursor = ''; ; ) {
      const mark = path.includes('?') ? '&' : '?';
      const { status, body } = await this.surely({
        call,
        route: ['GET', `${path}${mark}limit=200${cursor}`],
        input: {},
      });
      if (status !== 200) throw new Error(`${call} answered ${status}: ${JSON.stringify(body)}`);
      items.push(...body[member]);
      if (body.hasMore !== true) return items;
      cursor = `&cursor=${body.cursor}`;
    }
  }

  async #ask(asked: Omit<Question, 'by'>, key: string | undefined): Promise<Answered | undefined> {
    const credential = this.#credential;
    const did = credential !== 'none' && 'peer' in credential ? { did: credential.peer.did } : {};
    const question = { by: this.#name, ...did, ...asked, ...(key !== undefined && { key }) };
    const told: Told | undefined = await this.world.ask(this.owner, question);
    return told as Answered | undefined;
  }

  #headers(method: string, path: string, body: string): Record<string, string> {
    const credential = this.#credential;
    if (credential === 'none') return {};
    if ('apiKey' in credential) return { Authorization: `Bearer ${credential.apiKey}` };
    const bare = path.split('?')[0] as string;
    return { 'X-DID-Proof': makeDidProof(credential.peer, { baseUrl: BASE_URL, method, path: bare, body }) };
  }

  #anywhere(): number {
    return this.world.chance.below(this.world.options.nodes);
  }
}
