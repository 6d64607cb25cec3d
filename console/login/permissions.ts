/** What each role may use. The node decides by a table of its own; this one keeps what would be refused out of sight. */

type Role = 'OWNER' | 'ADMIN' | 'MEMBER' | 'VIEWER' | 'PENDING';
export type Permission = 'read' | 'write' | 'admin';

export const PERMISSIONS: Readonly<Record<Role, readonly Permission[]>> = {
  OWNER: ['read', 'write', 'admin'],
  ADMIN: ['read', 'write', 'admin'],
  MEMBER: ['read', 'write'],
  VIEWER: ['read'],
  PENDING: [],
};
