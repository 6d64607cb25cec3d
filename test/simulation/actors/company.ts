/**
 * Who lives in a world beside buyers, owner and cheats: people with passkeys and the agents whose purchases they approve, and agents
 * that come by the other gates.
 */
import type { JsonObject, Peer } from '../../support/peer.ts';
import { type Chance, chance } from '../machine/chance.ts';
import type { World } from '../world.ts';
import { payElsewhere } from './cardHolder.ts';
import { helpApprove } from './colleague.ts';
import { Desk, OWNER } from './desk.ts';
import type { Cast } from './governor.ts';
import { buyByTools } from './model.ts';
import { PaidSite } from './paidSite.ts';
import { buyWithPatience } from './patient.ts';
import { answerDoor, type Holder, type Wanted } from './person.ts';
import { buyAtSeveralGates } from './severalGates.ts';
import { buyOverSockets } from './socketAgent.ts';
import { buyByTasks } from './taskAgent.ts';
import { addWallet, bindPayee, visitSites } from './visitor.ts';

const PEOPLE: readonly string[] = ['person 0', 'person 1', 'colleague', 'patient 0', 'patient 1'];
/** Those who speak standard A2A, and lead to tasks. */
const SPEAKING: readonly string[] = ['task agent', 'several gates'];

const VISITORS: readonly string[] = ['visitor 0', 'visitor 1'];
/** Those who pay elsewhere. */
const CARD_HOLDERS: readonly string[] = ['card holder 0', 'card holder 1'];

/** All of them, by the names by which a plan leaves them out. */
export const COMPANY: readonly string[] = [
  ...PEOPLE,
  ...VISITORS,
  ...CARD_HOLDERS,
  ...SPEAKING,
  'model',
  'socket agent',
];

/** Whether no agent comes by the other gates, so that a world is about people and those who ask them. */
function isOfPeople(without: readonly string[]): boolean {
  return [...SPEAKING, 'model', 'socket agent'].every((name) => without.includes(name));
}

export function hasCardHolders(without: readonly string[]): boolean {
  return CARD_HOLDERS.some((name) => !without.includes(name));
}

export function hasTasks(without: readonly string[]): boolean {
  return SPEAKING.some((name) => !without.includes(name));
}

interface Hosts extends Cast {
  readonly nodeDid: string;
}

/** @param without names of those who are not there @param isOpen whether another purchase may begin */
export function beginCompany(world: World, cast: Hosts, without: readonly string[], isOpen: () => boolean): void {
  const dice = chance(`${world.options.seed} company`);
  // Agents at the gates wait for no person; people take their time where no others buy.
  const pauseMs = dice.of(isOfPeople(without) ? [300, 2000, 8000] : [300, 1000, 3000]);
  const act = (name: string, live: (desk: Desk) => Promise<void>, peer?: Peer) => {
    if (without.includes(name)) return;
    world.act(name, (owner) => live(new Desk(world, owner, peer === undefined ? 'none' : { peer })));
  };
  const { agents, principals, shops } = cast;
  const letters: Wanted[] = [];
  const proofs: JsonObject[] = [];
  const holders: readonly (readonly Holder[])[] = [
    [{ principalDid: String(principals[0]?.did) }],
    buyersOf(agents).map(({ did }) => ({ agentDid: did })),
  ];
  for (const [index, own] of holders.entries()) {
    act(`person ${index}`, (desk) => answerDoor({ desk, holders: own, letters, pauseMs, isOpen }));
  }
  act('colleague', (desk) => helpApprove({ desk, letters, pauseMs, isOpen }));
  for (const [index, agent] of buyersOf(agents).entries()) {
    const live = (desk: Desk) => buyWithPatience({ desk, agent, principals, shops, letters, proofs, pauseMs, isOpen });
    act(`patient ${index}`, live, agent);
  }
  const sites = shops.map(({ domain }) => new PaidSite(world, domain, chance(`${world.options.seed} site ${domain}`)));
  for (const [index, agent] of buyersOf(agents).entries()) {
    const live = async (desk: Desk) => {
      const owner = new Desk(world, desk.owner, OWNER);
      await bindPayee(owner, sites);
      await addWallet(owner, agent.did);
      await visitSites({ desk, agent, principals, shops, letters, sites, pauseMs, isOpen });
    };
    act(`visitor ${index}`, live, agent);
  }
  for (const [index, agent] of buyersOf(agents).entries()) {
    const live = (desk: Desk) => {
      const owner = new Desk(world, desk.owner, OWNER);
      return payElsewhere({ desk, owner, agent, principals, shops, letters, pauseMs, isOpen });
    };
    act(`card holder ${index}`, live, agent);
  }
  const { nodeDid } = cast;
  const agentOf = (): Peer => dice.of(agents);
  const [atTasks, atTools, atAll, atSockets] = [agentOf(), agentOf(), agentOf(), agentOf()];
  const market = { principals, shops, letters, pauseMs, isOpen };
  act('task agent', (desk) => buyByTasks({ ...market, desk, agent: atTasks, nodeDid }), atTasks);
  act('model', (desk) => buyByTools({ ...market, desk, agent: atTools }), atTools);
  act('several gates', (desk) => buyAtSeveralGates({ ...market, desk, agent: atAll, nodeDid }), atAll);
  act('socket agent', (desk) => buyOverSockets({ ...market, desk, agent: atSockets, nodeDid }), atSockets);
}

/** The first and the last of the agents, which may be one. */
function buyersOf(agents: readonly Peer[]): readonly Peer[] {
  return [...new Set([agents[0] as Peer, agents.at(-1) as Peer])];
}

/** How many people approve: in one step, or in two by amount. */
function approvalBy(dice: Chance, most: number, without: readonly string[]): JsonObject | JsonObject[] {
  const people = without.includes('colleague') ? 1 : 2;
  const above = dice.between(2, most);
  const step = {
    people: dice.permille(700) ? people : 1,
    ...(dice.permille(700) && { above }),
    ...(dice.permille(350) && { roles: ['OWNER', 'ADMIN'] }),
  };
  return dice.permille(300)
    ? [
        { people: 1, above: 1 },
        { people, above: above + 1 },
      ]
    : step;
}

/** Rules that ask for a person, in a world where there is one. */
export function askingPerson(world: World, without: readonly string[]): (rules: JsonObject) => JsonObject {
  if (without.includes('person 0') && without.includes('person 1')) return (rules) => rules;
  const dice = chance(`${world.options.seed} asking a person`);
  const share = dice.of([500, 1000]);
  const steps = chance(`${world.options.seed} approval`);
  return (rules) => {
    if (!dice.permille(share)) return rules;
    const cap = Number((rules['spend'] as JsonObject)['amount_cap']);
    const [required, most] = isOfPeople(without) ? [250, 20] : [150, 40];
    const presence = dice.permille(required) ? { presence: 'required' } : { presence_threshold: dice.between(2, most) };
    const context = {
      ...(rules['context'] as JsonObject | undefined),
      ...presence,
      ...(dice.permille(200) && { presence_new_merchant: true }),
      ...(dice.permille(300) && { deny_by_link: true }),
      ...(dice.permille(400) && { presence_binding: 'cart' }),
      ...(steps.permille(350) && { approval: approvalBy(steps, most, without) }),
    };
    return { ...rules, spend: { ...(rules['spend'] as JsonObject), presence_cap: cap * dice.of([1, 2]) }, context };
  };
}
