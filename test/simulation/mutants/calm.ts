/**
 * What is left out of worlds in which bugs are hunted. Bugs that show without faults are hunted in worlds of tricks and changes by the
 * owner alone, or of people and their agents, or of agents at the other gates, so that all steps are theirs. (Lists of their own: the
 * world's parts are known only where the whole node is loaded.)
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
  'failingSync',
  'receiver',
];
const BUYERS: readonly string[] = ['agent 0', 'agent 1', 'agent 2', 'agent 3', 'agent 4', 'agent 5'];
const TRICKSTERS: readonly string[] = ['trickster 0', 'trickster 1'];
const PEOPLE: readonly string[] = ['person 0', 'person 1', 'patient 0', 'patient 1'];
const AT_GATES: readonly string[] = ['task agent', 'several gates', 'model', 'socket agent'];

/** By where a bug shows. */
export const LEFT_OUT = {
  faults: [...PEOPLE, ...AT_GATES],
  tricks: [...BUYERS, ...FAULTS, ...PEOPLE, ...AT_GATES],
  people: [...BUYERS, ...FAULTS, ...TRICKSTERS, ...AT_GATES],
  gates: [...BUYERS, ...FAULTS, ...TRICKSTERS, 'patient 0', 'patient 1'],
} as const;

/** All that a plan can leave out. */
export const ALL_PARTS: readonly string[] = [
  ...BUYERS,
  ...FAULTS,
  ...TRICKSTERS,
  ...PEOPLE,
  ...AT_GATES,
  'governor',
  'outsider',
];
