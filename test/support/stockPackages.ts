/** Packages that only some tests need, as their lock file names them, in a folder of their own: their lack is a failure. */
import { execFile } from 'node:child_process';
import { copyFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

const OPTIONS = ['--silent', '--no-audit', '--no-fund', '--ignore-scripts', '--prefer-offline'];

/** Copies the files of a folder with a lock file, and installs what that names. @throws where npm cannot do it */
export async function installStock(source: string, folder: string): Promise<void> {
  for (const { name } of readdirSync(source, { withFileTypes: true }).filter((each) => each.isFile())) {
    copyFileSync(join(source, name), join(folder, name));
  }
  await promisify(execFile)('npm', ['ci', ...OPTIONS], { cwd: folder, timeout: 180_000 });
}
