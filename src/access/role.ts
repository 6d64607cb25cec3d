/** Roles of people, and what each permits. */
import { z } from 'zod';
import type { Permission } from './caller.ts';

export const ROLES = ['OWNER', 'ADMIN', 'MEMBER', 'VIEWER'] as const;
/** A role that an OWNER can give. */
export const GivenRole = z.enum(ROLES);
/** PENDING: logged in, but no OWNER has given a role yet. */
export const Role = z.enum([...ROLES, 'PENDING']);
export type Role = z.infer<typeof Role>;

const PERMISSIONS_OF: Readonly<Record<Role, readonly Permission[]>> = {
  OWNER: ['read', 'write', 'admin'],
  ADMIN: ['read', 'write', 'admin'],
  MEMBER: ['read', 'write'],
  VIEWER: ['read'],
  PENDING: [],
};

export function permissionsOf(role: Role): ReadonlySet<Permission> {
  return new Set(PERMISSIONS_OF[role]);
}

/** The role closest to a set of permissions, for callers without a role. */
export function roleLike(permissions: ReadonlySet<Permission>): Role {
  if (permissions.has('admin')) return 'ADMIN';
  return permissions.has('write') ? 'MEMBER' : 'VIEWER';
}
