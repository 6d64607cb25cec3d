/** npm packages as `npm pack` makes them of this checkout. */
import { execFile } from 'node:child_process';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';

/** @param folder where the tarball goes @param source the package's folder from the root @returns the tarball's path */
export async function packInto(folder: string, source: string): Promise<string> {
  const args = ['pack', '--silent', '--pack-destination', folder];
  const { stdout } = await promisify(execFile)('npm', args, { cwd: resolve(source) });
  return join(folder, stdout.trim().split('\n').at(-1) ?? '');
}
