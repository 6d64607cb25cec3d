/**
 * The story of a violation: in plain sentences, what happened to the payment, intent and agent that it is about, the faults and
 * the owner's changes in between, and the violation last.
 */
import type { Happening, Violation } from '../history.ts';
import { Calls } from './calls.ts';
import { placesOf } from './mentions.ts';
import { sayHappening } from './sayHappening.ts';

/** A story with more lines is not read. */
const MOST_LINES = 60;
/** Faults are told that happened in this time before and after what the story is about. */
const NEAR_MS = 60_000;

/** Changes by the owner that a purchase may depend on. */
const CHANGES: ReadonlySet<string> = new Set([
  'createPolicy',
  'updatePolicy',
  'revokeAgent',
  'suspendAgent',
  'reactivateAgent',
  'setAgentVelocity',
  'registerPrincipal',
  'changePrincipal',
]);

/** Ids that name one purchase, as they stand in happenings. */
const IDS = /\b(?:intent|pm|apt|hp)_[\w-]+/g;

/** @returns lines, without an end of line */
export function tellStory(history: readonly Happening[], violation: Violation): readonly string[] {
  const calls = new Calls();
  for (const [place, happening] of history.entries()) calls.follow(happening, place);
  const told = placesToTell(history, violation, calls);
  const lines = told.map((place) => {
    const happening = history[place] as Happening;
    const call =
      happening.kind === 'answered' || happening.kind === 'unanswered' ? calls.find(happening.id) : undefined;
    return `${timeOf(happening.at)}  ${sayHappening(happening, call)}`;
  });
  return [...shortened(lines), `Violated ${violation.invariant}: ${violation.sentence}`];
}

function placesToTell(history: readonly Happening[], violation: Violation, calls: Calls): readonly number[] {
  const first = violation.happenings.filter((place) => history[place] !== undefined && history[place].kind !== 'quiet');
  const named = idsIn(`${violation.sentence} ${first.map((place) => textOf(history[place])).join(' ')}`);
  const close = placesOf(history, named);
  // A payment's answer names its intent, and its question the token: from there the purchase is known from its beginning.
  const whole = placesOf(history, idsIn(close.map((place) => textOf(history[place])).join(' ')));
  const places = new Set([...first, ...close, ...whole]);
  addEnds(calls, places);
  const from = Math.min(...[...places].map((place) => (history[place] as Happening).at)) - NEAR_MS;
  const until = Math.max(...[...places].map((place) => (history[place] as Happening).at)) + NEAR_MS;
  const agents = agentsIn(history, places);
  for (const call of calls.all()) {
    const isChange = CHANGES.has(call.call) && call.at <= until;
    const isOfAgent =
      call.call.endsWith('Policy') || agents.some((agent) => JSON.stringify(call.input)?.includes(agent));
    if (isChange && isOfAgent) places.add(call.place);
  }
  addEnds(calls, places);
  for (const [place, { kind, at }] of history.entries()) {
    if (kind === 'fault' && at >= from && at <= until) places.add(place);
  }
  return [...places].sort((one, other) => one - other);
}

/** A question and its end belong together. */
function addEnds(calls: Calls, places: Set<number>): void {
  for (const { place, end } of calls.all()) {
    if (end === undefined || (!places.has(place) && !places.has(end.place))) continue;
    places.add(place);
    places.add(end.place);
  }
}

function idsIn(text: string): readonly string[] {
  return [...new Set(text.match(IDS) ?? [])];
}

function textOf(happening: Happening | undefined): string {
  return JSON.stringify(happening) ?? '';
}

function agentsIn(history: readonly Happening[], places: ReadonlySet<number>): readonly string[] {
  const dids = [...places].flatMap((place) => {
    const happening = history[place];
    if (happening?.kind !== 'asked') return [];
    const { agentDid } = happening.input as { readonly agentDid?: unknown };
    return [happening.did, agentDid].filter((did) => typeof did === 'string');
  });
  return [...new Set(dids)];
}

/** The first lines and the last ones say most. */
function shortened(lines: readonly string[]): readonly string[] {
  if (lines.length <= MOST_LINES) return lines;
  const begin = MOST_LINES / 3;
  const end = MOST_LINES - begin;
  const left = lines.length - MOST_LINES;
  return [...lines.slice(0, begin), `… ${left} more …`, ...lines.slice(-end)];
}

function timeOf(at: number): string {
  return new Date(at).toISOString().slice(5, 23).replace('T', ' ');
}
