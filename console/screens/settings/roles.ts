/** The roles that can be given, in words. */
import type { Operations } from '../../../client/operations.ts';

export type GivenRole = Operations['setUserRole']['input']['role'];

export const ROLES: readonly (readonly [GivenRole, string])[] = [
  ['OWNER', 'Owner'],
  ['ADMIN', 'Admin'],
  ['MEMBER', 'Member'],
  ['VIEWER', 'Viewer'],
];

const WORDS: ReadonlyMap<string, string> = new Map([...ROLES, ['PENDING', 'Pending']]);

/** @param role one that is not known, such as of a newer node, stays as it is */
export function roleText(role: string): string {
  return WORDS.get(role) ?? role;
}
