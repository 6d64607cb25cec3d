/** What the user who is signed in may use, so that what the node would refuse is not shown. */
import { login, type Me } from './login.ts';

export type OwnPermission = Me['permissions'][number];

export function may(permission: OwnPermission): boolean {
  const state = login.value;
  return state.at === 'in' && state.me.permissions.includes(permission);
}

export function isOwner(): boolean {
  const state = login.value;
  return state.at === 'in' && state.me.role === 'OWNER';
}
