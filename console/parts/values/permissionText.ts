/** What a key may do, in words. */
import type { OwnPermission } from '../../login/may.ts';

const MAY: readonly OwnPermission[] = ['read', 'write', 'admin'];
const USUAL = ['Reads', 'Reads and writes', 'Administers'];
const EACH: Readonly<Record<string, string>> = { read: 'read', write: 'write', admin: 'administer' };

/** @param permissions in their order; those that usually go together are said as one */
export function permissionText(permissions: readonly OwnPermission[]): string {
  const usual = USUAL[permissions.length - 1];
  const isUsual = permissions.every((each, index) => each === MAY[index]);
  if (isUsual && usual !== undefined) return usual;
  return `May ${permissions.map((each) => EACH[each] ?? each).join(' and ')} only`;
}
