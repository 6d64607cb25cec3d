/** The versions of the A2A standard that a node speaks. */

/** Major and minor, since patches change nothing on the wire (A2A v1.0 section 3.6). */
export type A2aVersion = '1.0' | '0.3';

/**
 * @param named what A2A-Version says
 * @returns undefined for a version that this node does not speak
 */
export function versionOf(named: string): A2aVersion | undefined {
  if (/^1\.\d+(\.\d+)?$/.test(named)) return '1.0';
  return /^0\.3(\.\d+)?$/.test(named) ? '0.3' : undefined;
}
