/** A world of one seed: nodes, a network, a rail, actors and chance, in one process and in a time of its own. */

import type { RailEvent } from '../../src/rails/notice.ts';
import { CHAIN_URL, Chain } from './actors/chain.ts';
import { CardRail } from './actors/rail.ts';
import { Receivers } from './actors/receivers.ts';
import { TokenRail } from './actors/tokenRail.ts';
import type { Books, Happening, Oracle, Violation } from './history.ts';
import { receiveWith } from './machine/agentOfWorld.ts';
import { type Chance, chance } from './machine/chance.ts';
import { EventLoop, type Owner } from './machine/eventLoop.ts';
import { type Exchanged, type HttpReply, Network } from './machine/network.ts';
import { NOTICE_SIGNATURE, useRails } from './machine/railAtHand.ts';
import { replaceRealParts } from './machine/realParts.ts';
import { Site } from './machine/site.ts';
import { DatabaseServer } from './postgres/databaseServer.ts';
import type { WorldDatabase } from './postgres/worldDatabase.ts';

export const ADMIN_KEY = `ak_test_${'S'.repeat(32)}`;
export const BASE_URL = 'http://node.example';
/** How often a rail posts a notice that was not accepted. */
const NOTICE_TRIES = 12;
/** Of so many tokens in a thousand that were used the rail tells; the others are looked at in the end. */
const TOKEN_NOTICES = 500;

export interface WorldOptions {
  readonly seed: string;
  readonly nodes: number;
  readonly folder: string;
  /** When it begins, in milliseconds since the epoch. */
  readonly start: number;
  readonly oracle: Oracle;
  /** Settings of its nodes, in the place of the world's own. */
  readonly env?: Readonly<Record<string, string>>;
  /** Whether SQLite copies its log into the database often, so that a short life sees it. */
  readonly copiesOften?: boolean;
  /** Of how many changes in a thousand the rail posts a notice; of all unless given. */
  readonly noticed?: number;
  /** Whether card holders dispute payments. */
  readonly disputed?: boolean;
  /** Of a PostgreSQL server; SQLite unless given. */
  readonly database?: WorldDatabase | undefined;
}

/** What an actor asks, by the name of its use case. */
export interface Asked {
  readonly by: string;
  readonly did?: string;
  readonly place: number;
  readonly call: string;
  readonly input: unknown;
  readonly key?: string;
}

/** A request of an actor over HTTP. */
export interface Question extends Asked {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** As it is sent; none for a question that has no body. */
  readonly text?: string;
}

export interface Told {
  readonly status: number;
  readonly body: unknown;
}

export class World {
  readonly loop: EventLoop;
  readonly chance: Chance;
  readonly site: Site;
  readonly network: Network;
  /** Notices of disputes that no node has taken yet. */
  #untold = 0;
  readonly rail: CardRail;
  /** By which sites are paid that ask by HTTP. */
  readonly tokens: TokenRail;
  /** On which wallets of nodes pay sites. */
  readonly chain: Chain;
  readonly receivers: Receivers;
  /** Of PostgreSQL, where the nodes are on one. */
  readonly server: DatabaseServer | undefined;
  readonly options: WorldOptions;
  /** Settings of its nodes. */
  readonly env: Readonly<Record<string, string>>;
  readonly history: Happening[] = [];
  /** How many happenings before these were forgotten. */
  forgotten = 0;
  /** How often each call was answered with each status. */
  readonly answers = new Map<string, number>();
  /** How often people did each thing that is counted. */
  readonly done = new Map<string, number>();
  readonly violations: Violation[] = [];
  /** The step at which the first one was seen. */
  violatedAt: number | undefined;
  /** How often each kind of fault has happened. */
  readonly faults = new Map<string, number>();
  /** What an actor or the world itself failed with: no violation, but a fault of the simulation. */
  failure: unknown;
  /** What is to be done when the process at a place has ended by itself. */
  ended: (place: number, wasRefused: boolean) => void = () => {};
  /** Steps until its faults ended. */
  stepsLived = 0;
  #questions = 0;
  #living = 0;

  constructor(options: WorldOptions) {
    const { seed, nodes, folder, start, env = {}, copiesOften = true, noticed = 1000, database } = options;
    const railChance = chance(`${seed} notices`);
    this.options = options;
    this.loop = new EventLoop(start);
    this.chance = chance(`${seed} world`);
    const random = chance(`${seed} random`);
    const { loop } = this;
    this.env = { ...environmentOf(folder), ...(database !== undefined && { DATABASE_URL: database.url }), ...env };
    this.site = new Site({
      folder,
      env: this.env,
      copiesOften,
      nodes,
      loop,
      chance: chance(`${seed} machine`),
      onRefused: (place, reason) => {
        this.fault(place, 'refused to start', String(reason));
        this.ended(place, true);
      },
      onGone: (owner) => this.server?.abandon(owner),
      onEnd: (place, what, why) => {
        this.fault(place, what, why);
        this.ended(place, false);
      },
    });
    replaceRealParts({
      loop,
      chance: chance(`${seed} processor`),
      randomOf: () => random,
      listen: (server) => this.site.listening(server),
    });
    const endsAt = (owner: Owner) => this.site.endsAt(owner);
    this.server = database && new DatabaseServer({ seed, loop, database, endsAt });
    this.network = new Network(loop, chance(`${seed} network`), this.site);
    this.rail = new CardRail({
      loop,
      chance: chance(`${seed} rail`),
      tell: (happening) => this.tell(happening),
      placeOf: (owner) => placeOf(owner),
      notify: (event) => {
        // How a dispute stands is told by its notices alone, so that none of them is lost.
        const isAlone = event.notice.kind === 'dispute';
        if (isAlone) this.#untold += 1;
        if (isAlone || railChance.permille(noticed)) this.#notify(event, NOTICE_TRIES);
      },
      disputes: options.disputed === true ? chance(`${seed} disputes`) : undefined,
    });
    const tokenChance = chance(`${seed} token notices`);
    this.tokens = new TokenRail({
      loop,
      chance: chance(`${seed} token rail`),
      mood: () => this.rail.mood,
      tell: (happening) => this.tell(happening),
      placeOf: (owner) => placeOf(owner),
      notify: (event) => {
        if (tokenChance.permille(TOKEN_NOTICES)) this.#notify(event, NOTICE_TRIES);
      },
    });
    useRails({ cards: (id) => this.rail.connect(id), tokens: (id) => this.tokens.connect(id) });
    this.receivers = new Receivers(this, chance(`${seed} receivers`));
    this.chain = new Chain({
      loop,
      chance: chance(`${seed} chain`),
      mood: () => this.rail.mood,
      tell: (happening) => this.tell(happening),
    });
    receiveWith((request, ...told) => {
      if (request.url === CHAIN_URL) this.chain.take(request, ...told);
      else this.receivers.take(request, ...told);
    });
  }

  get engine(): 'sqlite' | 'postgres' {
    return this.server === undefined ? 'sqlite' : 'postgres';
  }

  tell(happening: Happening): void {
    this.history.push(happening);
    const told = this.options.oracle.tell(happening);
    this.loop.note(happening.kind === 'quiet' ? 'quiet' : JSON.stringify(happening));
    if (told.length > 0) this.violatedAt ??= this.loop.steps;
    this.violations.push(...told);
  }

  /** All that happened so far was judged: nothing of it is looked at again. @param kept how many of the last stay for stories */
  forget(kept: number): void {
    const count = Math.max(0, this.history.length - kept);
    this.history.splice(0, count);
    this.forgotten += count;
    this.options.oracle.forget(kept, this.loop.time);
  }

  fault(node: number, what: string, detail: string): void {
    this.faults.set(what, (this.faults.get(what) ?? 0) + 1);
    this.tell({ at: this.loop.time, kind: 'fault', node, what, detail });
  }

  /** Has an actor live its own life; what it throws ends the world. */
  act(name: string, script: (owner: Owner) => Promise<void>): Owner {
    const owner = this.loop.newOwner(name);
    this.loop.schedule(owner, 0, 'begins', () => {
      this.#living += 1;
      const end = () => {
        this.#living -= 1;
      };
      script(owner).then(end, (error: unknown) => {
        this.failure ??= error;
      });
    });
    return owner;
  }

  /** How many actors live. */
  get living(): number {
    return this.#living;
  }

  pause(owner: Owner, ms: number): Promise<void> {
    return new Promise((resolve) => {
      this.loop.schedule(owner, ms, 'pause', resolve);
    });
  }

  /** @returns the answer; undefined where none came, so that it may be done or not */
  ask(owner: Owner, question: Question): Promise<Told | undefined> {
    const { place, method, path, headers, text } = question;
    const typed: Record<string, string> = text === undefined ? {} : { 'Content-Type': 'application/json' };
    const sent = { method, path, headers: { ...typed, ...headers } };
    const request = { ...sent, ...(text !== undefined && { body: text }) };
    return this.askBy(question, () => this.network.exchange(owner, place, request));
  }

  /** Asks in another way than by one request over HTTP. */
  async askBy(asked: Asked, exchange: () => Promise<Exchanged>): Promise<Told | undefined> {
    const { by, did, place, call, input, key } = asked;
    this.#questions += 1;
    const id = this.#questions;
    const named = { ...(did !== undefined && { did }), ...(key !== undefined && { key }) };
    this.tell({ at: this.loop.time, kind: 'asked', id, by, ...named, node: place, call, input });
    const outcome = await exchange();
    if ('why' in outcome) {
      this.#count(`${call} none`);
      this.tell({ at: this.loop.time, kind: 'unanswered', id, why: outcome.why });
      return undefined;
    }
    const told = { status: outcome.status, body: bodyOf(outcome) };
    this.#count(`${call} ${told.status}`);
    this.tell({ at: this.loop.time, kind: 'answered', id, ...told });
    return told;
  }

  #count(answer: string): void {
    this.answers.set(answer, (this.answers.get(answer) ?? 0) + 1);
  }

  /** Tells the books, once all is at rest. */
  conclude(books: Books): void {
    this.tell({ at: this.loop.time, kind: 'quiet', books });
    this.violations.push(...this.options.oracle.end());
  }

  /** Whether the books do not have all of the rail's disputes yet. */
  get hasDisputesToTell(): boolean {
    return this.#untold > 0 || this.rail.isDisputing;
  }

  /** Rails post a notice until it is taken, and now and then once more. */
  #notify(event: RailEvent, tries: number): void {
    const { loop, chance: dice } = this;
    const owner = loop.newOwner('the rail’s notices');
    const first = tries === NOTICE_TRIES;
    const wait = first ? dice.of([1, 50, 400, 3000]) : 2000 * (NOTICE_TRIES - tries);
    loop.schedule(owner, wait, 'notice', () => {
      if (this.rail.isSilent) {
        this.#notify(event, Math.min(tries, NOTICE_TRIES - 1));
        return;
      }
      const { id = '', type, createdAt: created, notice } = event;
      const body = JSON.stringify({ id, type, created, data: notice });
      const headers = { 'Content-Type': 'application/json', 'Stripe-Signature': NOTICE_SIGNATURE };
      const place = dice.below(this.options.nodes);
      const request = { method: 'POST', path: '/ap2/rails/stripe/events', headers, body };
      void this.network.exchange(owner, place, request).then((outcome) => {
        const taken = 'status' in outcome && outcome.status === 200;
        const isAlone = notice.kind === 'dispute';
        if (!taken && (tries > 1 || (isAlone && tries > 0))) this.#notify(event, Math.max(tries - 1, 1));
        if (taken && isAlone && tries > 0) this.#untold -= 1;
        if (taken && first && dice.permille(50)) this.#notify(event, isAlone ? 0 : 1);
      });
    });
  }
}

function placeOf(owner: Owner): number {
  return Number(/^node (\d+)/.exec(owner.name)?.[1] ?? -1);
}

function bodyOf({ text }: HttpReply): unknown {
  try {
    return text === '' ? undefined : (JSON.parse(text) as unknown);
  } catch {
    return text;
  }
}

function environmentOf(folder: string): Record<string, string> {
  return {
    AP2_ENV: 'sandbox',
    DATA_DIR: folder,
    BASE_URL,
    HOST: '127.0.0.1',
    GATES: '0',
    LOG_LEVEL: 'silent',
    BOOTSTRAP_API_KEY: ADMIN_KEY,
    SANDBOX_RATE_PER_MINUTE: '1000000',
    SANDBOX_BURST: '1000000',
    STRIPE_SECRET_KEY: 'sk_test_simulation',
    STRIPE_WEBHOOK_SECRET: 'whsec_simulation',
    APPROVAL_TTL_SECONDS: '20',
    WEBHOOK_RETRY_SECONDS: '0,2,5,10,20,40',
    WEBHOOK_TIMEOUT_SECONDS: '10',
    RAIL_TIMEOUT_SECONDS: '5',
    RAIL_RETRY_SECONDS: '1,2,5,10,20',
  };
}
