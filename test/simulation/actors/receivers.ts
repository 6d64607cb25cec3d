/** Those who receive webhooks: each takes them well, or for a while slowly, with errors, or not at all. */
import type { Outgoing } from '../machine/agentOfWorld.ts';
import type { Chance } from '../machine/chance.ts';
import type { World } from '../world.ts';

/** What a receiver does with each delivery, in a thousand. */
interface Mood {
  readonly refuses: number;
  readonly breaks: number;
  readonly isSlow: number;
}

const WELL: Mood = { refuses: 0, breaks: 0, isSlow: 0 };
const GONE: Mood = { ...WELL, refuses: 1000 };
const SLOW_MS = 15_000;

export class Receivers {
  readonly #world: World;
  readonly #chance: Chance;
  readonly #moods = new Map<string, Mood>();
  readonly #gone = new Set<string>();

  constructor(world: World, chance: Chance) {
    this.#world = world;
    this.#chance = chance;
  }

  /** Has a receiver be in a bad mood from now on. */
  upset(endpoint: string): void {
    // One that is always so lets a delivery fail as often as it is tried.
    const share = () => (this.#chance.permille(250) ? 1000 : this.#chance.below(900));
    const some = () => (this.#chance.permille(500) ? share() : 0);
    const mood = { refuses: some(), breaks: some(), isSlow: some() };
    this.#moods.set(endpoint, mood);
    this.#world.fault(-1, 'receiver upset', `${endpoint} ${JSON.stringify(mood)}`);
  }

  /** Has a receiver refuse all that comes, for good. */
  lose(endpoint: string): void {
    this.#gone.add(endpoint);
  }

  /** Has all others take everything from now on. */
  calm(): void {
    this.#moods.clear();
  }

  /** A delivery that a node has sent. */
  take(request: Outgoing, answer: (status: number, text: string) => void, fail: (code: string) => void): void {
    const { loop } = this.#world;
    const node = loop.current;
    const endpoint = request.url;
    const { refuses, breaks, isSlow } = this.#gone.has(endpoint) ? GONE : (this.#moods.get(endpoint) ?? WELL);
    const chance = this.#chance;
    const delay = () => 1 + 100 * chance.fraction() ** 3;
    const owner = loop.newOwner(endpoint);
    if (chance.permille(breaks) && chance.permille(500)) {
      loop.schedule(node, delay(), 'delivery lost', () => fail('ECONNRESET'));
      return;
    }
    loop.schedule(owner, delay(), 'delivery', () => {
      const status = chance.permille(refuses) ? chance.of([500, 503, 404, 429, 301]) : 200;
      const isBroken = chance.permille(breaks);
      this.#tell(endpoint, request, isBroken ? 0 : status);
      const late = chance.permille(isSlow) ? chance.below(SLOW_MS) : 0;
      loop.schedule(node, delay() + late, 'delivery answer', () => {
        if (isBroken) fail('ECONNRESET');
        else answer(status, status === 200 ? 'ok' : 'no');
      });
    });
  }

  #tell(endpoint: string, { headers, body }: Outgoing, answer: number): void {
    const event = String(headers['webhook-id']);
    const { type, data } = JSON.parse(body) as { readonly type: string; readonly data: unknown };
    this.#world.tell({ at: this.#world.loop.time, kind: 'received', endpoint, event, type, data, answer });
  }
}
