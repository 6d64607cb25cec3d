/**
 * What is left out of worlds in which bugs are hunted. Bugs that show without faults are hunted in worlds of tricks and changes by the
 * owner alone, of agents at the edge of their budgets, of people and their agents, of one agent at another gate, of agents at sites
 * that ask by HTTP, or of agents that pay elsewhere, so that all steps are theirs. (Lists of their own: the world's parts are known only where the whole node is loaded.)
 */
const FAULTS: readonly string[] = [
  'kill',
  'killAtStatement',
  'cutPower',
  'stop',
  'storm',
  'rail',
  'clock',
  'fullDisk',
  'fullAtStatement',
  'failingSync',
  'receiver',
  'upgrade',
  'cutConnections',
  'cutAtStatement',
  'stallConnections',
  'lockTable',
  'crashServer',
];
const BUYERS: readonly string[] = ['agent 0', 'agent 1', 'agent 2', 'agent 3', 'agent 4', 'agent 5'];
const TRICKSTERS: readonly string[] = ['trickster 0', 'trickster 1'];
const THRIFTY: readonly string[] = ['thrifty 0', 'thrifty 1'];
const DELEGATES: readonly string[] = ['delegate'];
const COMPLETERS: readonly string[] = ['completer'];
const VISITORS: readonly string[] = ['visitor 0', 'visitor 1'];
const CARD_HOLDERS: readonly string[] = ['card holder 0', 'card holder 1'];
const PEOPLE: readonly string[] = ['person 0', 'person 1', 'colleague', 'patient 0', 'patient 1'];
const ASKING: readonly string[] = ['patient 0', 'patient 1'];
const AT_GATES: readonly string[] = ['task agent', 'several gates', 'model', 'socket agent'];

/** Everybody but the owner, some of those at the gates, and the people whom these pass requests on to. */
function allBut(...there: readonly string[]): readonly string[] {
  const all = [
    ...TRICKSTERS,
    ...THRIFTY,
    ...DELEGATES,
    ...COMPLETERS,
    ...VISITORS,
    ...CARD_HOLDERS,
    ...ASKING,
    ...AT_GATES,
  ];
  return [...BUYERS, ...FAULTS, ...all].filter((part) => !there.includes(part));
}

/** By where a bug shows. */
export const LEFT_OUT = {
  faults: [...THRIFTY, ...DELEGATES, ...COMPLETERS, ...VISITORS, ...CARD_HOLDERS, ...PEOPLE, ...AT_GATES],
  tricks: [
    ...DELEGATES,
    ...COMPLETERS,
    ...VISITORS,
    ...CARD_HOLDERS,
    ...BUYERS,
    ...FAULTS,
    ...THRIFTY,
    ...PEOPLE,
    ...AT_GATES,
  ],
  limits: [
    ...DELEGATES,
    ...COMPLETERS,
    ...VISITORS,
    ...CARD_HOLDERS,
    ...FAULTS,
    ...TRICKSTERS,
    ...BUYERS,
    ...PEOPLE,
    ...AT_GATES,
  ],
  people: allBut(...ASKING),
  checkouts: [...allBut(...COMPLETERS), ...PEOPLE.filter((part) => !ASKING.includes(part))],
  mandates: [...allBut(...DELEGATES), ...PEOPLE.filter((part) => !ASKING.includes(part))],
  tasks: allBut('task agent'),
  tools: allBut('model'),
  sockets: allBut('socket agent'),
  gates: allBut('several gates'),
  sites: allBut(...VISITORS),
  'payments elsewhere': allBut(...CARD_HOLDERS),
  'sites in trouble': allBut(...VISITORS, ...FAULTS),
} as const;

/** All that a plan can leave out. */
export const ALL_PARTS: readonly string[] = [
  ...BUYERS,
  ...FAULTS,
  ...TRICKSTERS,
  ...THRIFTY,
  ...DELEGATES,
  ...COMPLETERS,
  ...VISITORS,
  ...CARD_HOLDERS,
  ...PEOPLE,
  ...AT_GATES,
  'governor',
  'outsider',
];
