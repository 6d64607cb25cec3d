/**
 * The last stage of deploy/Dockerfile without a container: its files in a folder, which the kernel mounts read-only, in a space of mounts
 * and processes of its own, as the image's user and with the image's environment. Only its volume is written to.
 */
import assert from 'node:assert/strict';
import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { countersign, makeAgent } from '../../client/index.ts';
import { freePort } from '../support/child.ts';
import { dockerfileStages } from '../support/deployFiles.ts';
import { until } from '../support/until.ts';
import { ADMIN_KEY } from '../support/world.ts';

const [, image = []] = dockerfileStages();
const textOf = (name: string) => String(image.find((each) => each.name === name)?.text);
const [uid = '', gid = ''] = textOf('USER').split(':');
const volume = textOf('VOLUME');
const environment = Object.fromEntries(
  [...textOf('ENV').matchAll(/(\w+)=(\S+)/g)].map(([, name, value]) => [name as string, value as string]),
);

/** Mounts the folder upon itself without the right to write, its volume with it, and what every container has; then runs a command in it. */
const ENTER = `
  set -e
  root=$1 data=$2 uid=$3 gid=$4 volume=$5
  shift 5
  mount --make-rprivate /
  mount --bind "$root" "$root"
  mount --bind "$data" "$root$volume"
  mount -t proc proc "$root/proc"
  for device in null zero random urandom; do mount --bind "/dev/$device" "$root/dev/$device"; done
  mount -o remount,bind,ro "$root"
  exec setpriv --clear-groups --no-new-privs unshare --root "$root" --wd "$volume" --setgid "$gid" --setuid "$uid" "$@"`;
const hasBuildah = spawnSync('buildah', ['--version']).status === 0;
const SPACES = ['--mount', '--pid', '--fork', '--kill-child'];

function whyNot(): string | false {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return 'it takes root on Linux';
  const tried = spawnSync('unshare', [...SPACES, 'sh', '-c', 'mount --make-rprivate / && mount -t tmpfs none /mnt'], {
    encoding: 'utf8',
  });
  return tried.status !== 0 && `the kernel does not let this process mount anything: ${tried.stderr}`;
}

describe('the root folder of the image, mounted read-only', { skip: whyNot() }, () => {
  let folder: string;
  let root: string;
  let data: string;
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'countersign-image-'));
    chmodSync(folder, 0o755);
    root = join(folder, 'root');
    data = join(folder, 'data');
    const built = join(folder, 'built');
    execFileSync(process.execPath, ['scripts/binary/build.mjs', '--out', built], {
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    for (const path of ['dev', 'proc', 'tmp', volume]) mkdirSync(join(root, path), { recursive: true });
    for (const device of ['null', 'zero', 'random', 'urandom']) writeFileSync(join(root, 'dev', device), '');
    for (const { text } of image.filter(({ name }) => name === 'COPY')) copy(text, built);
    const { stdout } = spawnSync('ldd', [join(built, 'countersign')], { encoding: 'utf8' });
    for (const [path] of stdout.matchAll(/\/\S+/g)) put(path, join(root, path));
    // As Docker makes a volume.
    mkdirSync(data, { mode: 0o755 });
    chownSync(data, Number(uid), Number(gid));
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  function put(from: string, to: string): void {
    mkdirSync(dirname(to), { recursive: true });
    copyFileSync(from, to);
    chmodSync(to, statSync(from).mode & 0o777);
  }

  /** One COPY of the last stage, of what the first one makes of the checkout. */
  function copy(text: string, built: string): void {
    const [from = '', to = ''] = text.split(' ').filter((word) => !word.startsWith('--'));
    if (to === volume) return;
    put(from.replace(/^\/src\/dist\//, `${built}/`).replace(/^\/src\//, ''), join(root, to));
  }

  function enter(args: readonly string[], env: Record<string, string>): ChildProcess {
    const places = [root, data, uid, gid, volume];
    const all = [...SPACES, 'sh', '-c', ENTER, 'sh', ...places, '/countersign', ...args];
    return spawn('unshare', all, { env: { PATH: process.env['PATH'], ...environment, ...env } });
  }

  async function run(args: readonly string[], env: Record<string, string>) {
    const child = enter(args, env);
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream?.on('data', (piece) => (output += piece));
    const code = await new Promise((ended) => child.once('close', ended));
    return { code, output };
  }

  /** The program itself, the first process of its space: the one child of unshare. */
  function programOf({ pid }: ChildProcess): number {
    return Number(readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim());
  }

  /** Every file of the root with the time of its last change. */
  const rootFiles = () =>
    readdirSync(root, { recursive: true, encoding: 'utf8' }).map(
      (path) => `${path} ${statSync(join(root, path)).ctimeMs}`,
    );

  test('sets a node up, serves a purchase, says that it is healthy, and ends in time, writing to its volume alone', async () => {
    const before = rootFiles();
    const env = { HOST: '127.0.0.1', PORT: String(await freePort()), BOOTSTRAP_API_KEY: ADMIN_KEY, LOG_LEVEL: 'error' };
    const baseUrl = `http://127.0.0.1:${env.PORT}`;
    const begun = await run(['init'], env);
    assert.equal(begun.code, 0, begun.output);
    assert.ok(readdirSync(data).includes('countersign.toml'));
    const unhealthy = await run(['health'], env);
    assert.equal(unhealthy.code, 3, unhealthy.output);

    const node = enter(['serve'], env);
    let output = '';
    for (const stream of [node.stdout, node.stderr]) stream?.on('data', (piece) => (output += piece));
    const ended = new Promise((resolve) => node.once('close', resolve));
    try {
      const isReady = async () => {
        assert.equal(node.exitCode, null, output);
        return (await fetch(`${baseUrl}/readyz`).catch(() => undefined))?.ok === true;
      };
      await until('the node is ready', isReady, 60_000);
      const healthy = await run(['health'], env);
      assert.equal(healthy.code, 0, healthy.output);
      requireLockedIn(programOf(node));
      assert.equal(await buy(baseUrl), 'requires_capture');

      const from = Date.now();
      process.kill(programOf(node), 'SIGTERM');
      assert.equal(await ended, 0, output);
      assert.ok(Date.now() - from < 15_000);
    } finally {
      // Another user than its parent's, so --kill-child does not reach it (prctl(2), PR_SET_PDEATHSIG).
      if (node.exitCode === null) process.kill(programOf(node), 'SIGKILL');
      await ended;
    }
    assert.deepEqual(rootFiles(), before);
    const own = join(data, relative(volume, String(environment['DATA_DIR'])));
    assert.ok(readdirSync(own).includes('countersign.db'));
    assert.equal(statSync(own).mode & 0o777, 0o700);
  });

  test('is what Buildah makes of the last stage', { skip: !hasBuildah && 'there is no Buildah here' }, () => {
    const stage = join(folder, 'stage');
    for (const path of ['src/dist', 'data']) mkdirSync(join(stage, path), { recursive: true });
    copyFileSync('LICENSE', join(stage, 'src', 'LICENSE'));
    for (const name of ['countersign', 'countersign.cdx.json']) {
      copyFileSync(join(folder, 'built', name), join(stage, 'src', 'dist', name));
    }
    const dockerfile = readFileSync('deploy/Dockerfile', 'utf8');
    const [last] = dockerfile.match(/^FROM (?!.* AS build$)[\s\S]*/m) ?? [];
    writeFileSync(join(folder, 'Dockerfile'), `FROM stage AS build\n${last?.replace(/^FROM .*$/m, 'FROM scratch')}`);
    const buildah = (...args: string[]) =>
      execFileSync('buildah', ['--root', join(folder, 'storage'), '--runroot', join(folder, 'run'), ...args], {
        env: { ...process.env, STORAGE_DRIVER: 'vfs', BUILDAH_ISOLATION: 'chroot' },
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'pipe'],
      }).trim();
    try {
      const container = buildah('from', 'scratch');
      buildah('copy', '--quiet', container, stage, '/');
      buildah('commit', '--quiet', container, 'localhost/stage');
      const args = ['--format', 'docker', '--build-arg', 'REVISION=abc', '--tag', 'localhost/image', '--file'];
      buildah('build', '--quiet', ...args, join(folder, 'Dockerfile'), folder);
      const { config } = JSON.parse(buildah('inspect', '--type', 'image', 'localhost/image')).Docker;
      const { User, WorkingDir, Volumes, Entrypoint, Cmd, Labels, StopSignal, Healthcheck } = config;
      assert.deepEqual([User, WorkingDir, Object.keys(Volumes)], [`${uid}:${gid}`, volume, [volume]]);
      assert.deepEqual([...Entrypoint, ...Cmd, StopSignal], ['/countersign', 'serve', 'SIGTERM']);
      assert.deepEqual(Healthcheck.Test, ['CMD', '/countersign', 'health']);
      assert.equal(Labels['org.opencontainers.image.revision'], 'abc');
      const made = buildah('mount', buildah('from', 'localhost/image'));
      const bill = JSON.parse(readFileSync(join(made, Labels['countersign.sbom']), 'utf8'));
      assert.equal(bill.bomFormat, 'CycloneDX');
      assert.equal(statSync(join(made, volume)).uid, Number(uid));
      const copied = image.filter(({ name }) => name === 'COPY').map(({ text }) => String(text.split(' ').at(-1)));
      for (const path of copied.filter((each) => each !== volume)) {
        assert.deepEqual(readFileSync(join(made, path)), readFileSync(join(root, path)), path);
      }
    } finally {
      buildah('rm', '--all');
    }
  });

  /** As the image's user, without a capability or the way to one, on a root that is mounted read-only. */
  function requireLockedIn(pid: number): void {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    const fieldOf = (name: string) => new RegExp(`^${name}:\\s+(.*)$`, 'm').exec(status)?.[1];
    assert.equal(fieldOf('Uid'), [uid, uid, uid, uid].join('\t'));
    assert.equal(fieldOf('Gid'), [gid, gid, gid, gid].join('\t'));
    assert.deepEqual(
      [fieldOf('NoNewPrivs'), fieldOf('CapEff'), fieldOf('CapPrm')],
      ['1', '0'.repeat(16), '0'.repeat(16)],
    );
    const mounts = readFileSync(`/proc/${pid}/mountinfo`, 'utf8').trim().split('\n');
    const optionsOf = (place: string) =>
      mounts
        .map((line) => line.split(' '))
        .findLast(([, , , , at]) => at === place)?.[5]
        ?.split(',') ?? [];
    assert.ok(optionsOf('/').includes('ro'), mounts.join('\n'));
    assert.ok(optionsOf(volume).includes('rw'), mounts.join('\n'));
  }
});

async function buy(baseUrl: string): Promise<string> {
  const node = countersign({ baseUrl, credential: { apiKey: ADMIN_KEY } });
  const { did: agentDid, publicKey } = makeAgent();
  await node.registerAgent({ name: 'contained', publicKey });
  const request = { maxAmount: 20, currency: 'USD', vendorHints: { domain: 'shop.example' } };
  const intent = await node.issueIntent({ agentDid, principalDid: agentDid, request });
  assert.ok(intent.allowed, JSON.stringify(intent));
  const intentId = String(intent.intentVc.credentialSubject['mandateId']);
  const { cartMandate } = await node.demoAp2Cart({ domain: 'shop.example', amount: 12.5, currency: 'USD' });
  const cart = await node.validateAp2Cart({ intentId, cartMandate });
  assert.ok(cart.allowed, JSON.stringify(cart));
  const paid = await node.mandatePayment({ approvalToken: String(cart.approvalToken) });
  assert.ok('railResponse' in paid, JSON.stringify(paid));
  return String(paid.railResponse.status);
}
