// What a release is made of: a commit, and nothing beside it.
import { execFileSync } from 'node:child_process';

/**
 * @param root of the checkout @param version that is to be released
 * @returns the hash of the commit and its time in seconds, or SOURCE_DATE_EPOCH
 * @throws Error where files differ from the commit, or the version was released from another one
 */
export function cleanCommit(root, version) {
  const git = (...args) => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim();
  const changed = git('status', '--porcelain');
  if (changed !== '') throw new Error(`A release is made of a commit alone. These files differ from it:\n${changed}`);
  const hash = git('rev-parse', 'HEAD');
  const tag = `v${version}`;
  if (git('tag', '--list', tag) !== '') {
    const tagged = git('rev-parse', `${tag}^{commit}`);
    if (tagged !== hash) throw new Error(`${tag} is ${tagged}, and this is ${hash}: give the release a new version.`);
  }
  return { hash, epoch: Number(process.env.SOURCE_DATE_EPOCH ?? git('log', '-1', '--format=%ct')) };
}
