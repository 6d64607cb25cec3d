/**
 * What is left out of worlds in which bugs are hunted amid tricks: faults and honest buyers, so that all of their steps are tricks and
 * changes by the owner. (A list of its own: the world's parts are known only where the whole node is loaded.)
 */
export const CALM: readonly string[] = [
  'agent 0',
  'agent 1',
  'agent 2',
  'agent 3',
  'agent 4',
  'agent 5',
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
  'upgrade',
  'cutConnections',
  'cutAtStatement',
  'stallConnections',
  'lockTable',
  'crashServer',
];

/** All that a plan can leave out. */
export const ALL_PARTS: readonly string[] = [...CALM, 'trickster 0', 'trickster 1', 'governor', 'outsider'];
