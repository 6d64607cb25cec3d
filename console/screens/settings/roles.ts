/** The roles that can be given, in words. */
import type { Operations } from '../../../client/operations.ts';

export type GivenRole = Operations['setUserRole']['input']['role'];

export const ROLES: readonly (readonly [GivenRole, string])[] = [
  ['OWNER', 'Owner'],
  ['ADMIN', 'Admin'],
  ['MEMBER', 'Member'],
  ['VIEWER', 'Viewer'],
];
