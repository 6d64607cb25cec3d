/** What `countersign upgrade --check` does: it compares the newest release with this program. */
import { readJsonAsset } from '../../assets/assets.ts';
import { version } from '../../node/version.ts';
import { Failure, WrongUse } from '../commandFailure.ts';
import { print } from '../output/print.ts';
import { compareVersions, newestRelease } from './newestRelease.ts';

interface Options {
  readonly from?: string;
  readonly json?: boolean;
}

/** What this program trusts (data/release.json). */
interface Trust {
  readonly releases: string;
  /** SubjectPublicKeyInfo in base64; empty before the first release. */
  readonly publicKey: string;
}

/** @throws WrongUse for an address that is not https, Failure where nothing was released or the host's word does not hold */
export async function checkUpgrade(env: NodeJS.ProcessEnv, options: Options): Promise<void> {
  const { releases, publicKey } = readJsonAsset('data/release.json') as Trust;
  const from = (options.from ?? (env['COUNTERSIGN_RELEASES_URL'] || releases)).replace(/\/+$/, '');
  if (!/^https:\/\/.|^http:\/\/(127\.0\.0\.1|localhost)[:/]/.test(from) || !URL.canParse(from)) {
    throw new WrongUse(`"${from}" is no https address.`);
  }
  if (publicKey === '') {
    const message = 'This program was built without the key of a release, so it can verify none.';
    throw new Failure(message, { code: 'FAILED', exitCode: 1 });
  }
  const newest = await newestRelease(from, publicKey);
  const order = compareVersions(newest, version);
  print(options, { here: version, newest, isNewer: order > 0, from }, told(newest, order, from));
}

function told(newest: string, order: number, from: string): string {
  if (order === 0) return `This is ${version}, the newest version.`;
  if (order < 0) return `The newest version at ${from} is ${newest}, older than this one, ${version}.`;
  return [
    `Version ${newest} is released, and this is ${version}. Its checksums are signed by the key of this program.`,
    `1. Read the part of CHANGELOG.md since ${version}: ${from}/tag/v${newest}`,
    '2. countersign backup before-upgrade.tar',
    `3. sh install.sh --version ${newest}, and restart the node. /docs/upgrade has the rest.`,
  ].join('\n');
}
