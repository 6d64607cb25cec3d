/** The examples, each in a copy of its folder, run by the commands of its README as a reader would: from a shell, in an empty place. */
import { cp, mkdir, mkdtemp, readFile, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { freePort } from './child.ts';
import { type Block, blocksOfPage, playPage } from './docsPage.ts';
import { approveAll } from './pageReaders.ts';
import { buildClient, installCommand } from './snippets.ts';
import { ADMIN_KEY, type World } from './world.ts';

/** The ports that the READMEs name: that of the shop, and that of the model's stand-in. */
const PORTS = ['3000', '9099'] as const;

interface Run {
  /** Beside what every reader has. */
  readonly env?: Readonly<Record<string, string>>;
  /** A block that this machine cannot play, which is left out. */
  readonly leavesOut?: (text: string) => boolean;
  /** Makes the folder ready in which the copies lie, as those left out would have. */
  readonly prepare?: (folder: string) => Promise<void>;
}

export interface Examples {
  /**
   * Runs the READMEs of examples one after another in one shell, a person approving what waits for them.
   * @returns what was printed
   */
  play(names: readonly string[], run?: Run): Promise<string>;
  remove(): Promise<void>;
}

/** @param packages of npm that the examples name, beside the client @param world whose sandbox they buy in */
export async function makeExamples(world: World, packages: readonly string[] = []): Promise<Examples> {
  const folder = await mkdtemp(join(tmpdir(), 'countersign-examples-'));
  const client = join(folder, 'client');
  await buildClient(client);
  const known = Object.fromEntries(packages.map((name) => [name, resolve('node_modules', name)]));
  return {
    async play(names, { env = {}, leavesOut = () => false, prepare } = {}) {
      const own = await mkdtemp(join(folder, 'run-'));
      await installCommand(own);
      const ports = new Map<string, string>();
      for (const port of PORTS) ports.set(port, String(await freePort()));
      const blocks: Block[] = [];
      for (const name of names) {
        await copyExample(name, own, { ...known, 'countersign-client': client });
        blocks.push({ line: 0, language: 'sh', text: `cd ${join(own, name)}\n` });
        blocks.push(...(await blocksOfPage(`examples/${name}/README.md`)));
      }
      await prepare?.(own);
      const local = (text: string) => text.replaceAll(/\b(?:3000|9099)\b/g, (port) => ports.get(port) ?? port);
      const played = blocks.filter(({ text }) => !leavesOut(text)).map((each) => ({ ...each, text: local(each.text) }));
      const endPerson = approveAll(world);
      try {
        return await playPage(`examples/${names.join('+')}`, played, {
          folder: own,
          address: world.node.address,
          env: {
            PATH: `${own}:${dirname(process.execPath)}:${process.env['PATH'] ?? ''}`,
            HOME: own,
            PORT: local('3000'),
            SHOP_URL: local('http://localhost:3000'),
            npm_config_offline: 'true',
            npm_config_update_notifier: 'false',
            ...env,
          },
          fillIns: {
            COUNTERSIGN_URL: world.node.baseUrl,
            COUNTERSIGN_API_KEY: ADMIN_KEY,
            OPENAI_BASE_URL: local('http://localhost:9099/v1'),
            OPENAI_API_KEY: 'none',
          },
        });
      } finally {
        await endPerson();
      }
    },
    remove: () => rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 }),
  };
}

/** Puts the packages that its package.json names where `npm install` finds them without a registry. */
async function copyExample(name: string, folder: string, packages: Readonly<Record<string, string>>): Promise<void> {
  const copy = join(folder, name);
  await cp(join('examples', name), copy, { recursive: true });
  const text = await readFile(join(copy, 'package.json'), 'utf8').catch(() => '{}');
  const { dependencies = {}, devDependencies = {} } = JSON.parse(text);
  for (const needed of Object.keys({ ...dependencies, ...devDependencies })) {
    const from = packages[needed];
    if (from === undefined) throw new Error(`${name} needs ${needed}, which this test does not have.`);
    const at = join(copy, 'node_modules', needed);
    await mkdir(dirname(at), { recursive: true });
    await symlink(from, at);
  }
}
