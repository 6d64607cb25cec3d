/** What whoever is signed in may use. */
import { login } from './login.ts';
import { PERMISSIONS, type Permission } from './permissions.ts';

export function may(permission: Permission): boolean {
  const state = login.value;
  return state.at === 'in' && PERMISSIONS[state.me.role].includes(permission);
}

export function isOwner(): boolean {
  const state = login.value;
  return state.at === 'in' && state.me.role === 'OWNER';
}
