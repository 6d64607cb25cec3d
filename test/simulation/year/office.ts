/** What the people and programs of a simulated year share: who works there at present, by which keys, and what was done. */
import { makePeer, type Peer } from '../../support/peer.ts';
import type { Credential } from '../actors/desk.ts';
import { Desk, OWNER } from '../actors/desk.ts';
import { type Chance, chance } from '../machine/chance.ts';
import type { Owner } from '../machine/eventLoop.ts';
import type { World } from '../world.ts';

/** By which gate, and by which credential. */
export type Way = 'proof' | 'message' | 'key';

/** An agent, whose keys are replaced in the course of the year. */
export interface Worker {
  readonly name: string;
  readonly owner: Owner;
  readonly way: Way;
  readonly chance: Chance;
  peer: Peer;
  desk: Desk;
  /** Its API key, where it has one. */
  key?: { readonly id: string; readonly secret: string };
}

/** A shop, whose key is replaced in the course of the year. */
export interface Stall {
  readonly domain: string;
  peer: Peer;
  /** Of the binding of its key. */
  bindingId: string;
}

/** Something that is to be done with a payment on a later day. */
export interface Later {
  readonly day: number;
  readonly mandateId: string;
  readonly verb: 'capture' | 'cancel' | 'refund';
}

const WAYS: readonly Way[] = ['proof', 'message', 'key', 'key', 'key', 'key', 'key', 'key'];
const STALLS = 4;

export class Office {
  readonly world: World;
  readonly aDay: number;
  /** The owner's own desk. */
  readonly desk: Desk;
  readonly chance: Chance;
  readonly workers: readonly Worker[];
  readonly stalls: readonly Stall[];
  readonly principals: readonly Peer[];
  readonly later: Later[] = [];
  /** The node's DID, which its rotations change. */
  nodeDid = '';
  policyId = '';
  readonly #keys: Chance;

  /** @param aDay purchases of an ordinary day */
  constructor(world: World, owner: Owner, seed: string, aDay: number) {
    this.world = world;
    this.aDay = aDay;
    this.desk = new Desk(world, owner, OWNER);
    this.chance = chance(`${seed} office`);
    this.#keys = chance(`${seed} keys`);
    this.principals = [this.newPeer(), this.newPeer()];
    this.stalls = Array.from({ length: STALLS }, (_, index) => ({
      domain: `shop${index}.example`,
      peer: this.newPeer(),
      bindingId: '',
    }));
    this.workers = WAYS.map((way, index) => {
      const peer = this.newPeer();
      const name = `agent ${index}`;
      const own = world.loop.newOwner(name);
      const parts = { name, owner: own, way, peer, chance: chance(`${seed} ${name}`) };
      return { ...parts, desk: new Desk(world, own, { peer }) };
    });
  }

  newPeer(): Peer {
    return makePeer(this.#keys.bytes(32));
  }

  /** A desk of another caller, for one thing. */
  deskOf(name: string, credential: Credential): Desk {
    return new Desk(this.world, this.world.loop.newOwner(name), credential);
  }

  count(what: string, times = 1): void {
    const { done } = this.world;
    done.set(what, (done.get(what) ?? 0) + times);
  }
}
