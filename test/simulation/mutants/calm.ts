/**
 * What is left out of every other world in which bugs are hunted: faults and honest buyers, so that all of its steps are tricks and
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
];
