/** Where a backup is written to. */
import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** @param target a file, or a folder in which the file is named by the time */
export function fileOf(target: string): string {
  const isFolder = target.endsWith('/') || (existsSync(target) && statSync(target).isDirectory());
  if (!isFolder) return target;
  const time = new Date().toISOString().replaceAll(/[-:]|\.\d+/g, '');
  return join(target, `countersign-${time}.tar`);
}
