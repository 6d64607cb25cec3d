/** The examples, each in a copy of its folder, run by the commands of its README as a reader would: from a shell, in an empty place. */
import { cp, mkdir, mkdtemp, readFile, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { freePort } from './child.ts';
import { blocksOfPage, playPage } from './docsPage.ts';
import { approveAll } from './pageReaders.ts';
import { buildClient, installCommand } from './snippets.ts';
import { ADMIN_KEY, type World } from './world.ts';

/** Where the READMEs have the shop listen. */
const SHOP_ADDRESS = 'http://localhost:3000';

export interface ExamplesFolder {
  /**
   * Runs the READMEs of examples one after another in one shell, a person approving what waits for them.
   * @param env beside what every reader has
   * @returns what was printed
   */
  play(names: readonly string[], env?: Readonly<Record<string, string>>): Promise<string>;
  readonly folder: string;
  remove(): Promise<void>;
}

/** @param packages of npm that the examples name, beside the client @param world whose sandbox they buy in */
export async function makeExamplesFolder(world: World, packages: readonly string[]): Promise<ExamplesFolder> {
  const folder = await mkdtemp(join(tmpdir(), 'countersign-examples-'));
  await installCommand(folder);
  const client = join(folder, 'client');
  await buildClient(client);
  return {
    folder,
    async play(names, env = {}) {
      const port = String(await freePort());
      const shop = `http://localhost:${port}`;
      const blocks = [];
      for (const name of names) {
        await copyExample(name, folder, { '@countersign/client': client, ...fromHere(packages) });
        blocks.push({ line: 0, language: 'sh', text: `cd ${join(folder, name)}\n` });
        for (const block of await blocksOfPage(`examples/${name}/README.md`)) {
          blocks.push({ ...block, text: block.text.replaceAll(SHOP_ADDRESS, shop) });
        }
      }
      const endPerson = approveAll(world);
      try {
        return await playPage(`examples/${names.join('+')}`, blocks, {
          folder,
          address: world.node.address,
          env: {
            PATH: `${folder}:${dirname(process.execPath)}:${process.env['PATH'] ?? ''}`,
            HOME: folder,
            PORT: port,
            SHOP_URL: shop,
            npm_config_offline: 'true',
            npm_config_update_notifier: 'false',
            ...env,
          },
          fillIns: { COUNTERSIGN_URL: world.node.baseUrl, COUNTERSIGN_API_KEY: ADMIN_KEY },
        });
      } finally {
        await endPerson();
      }
    },
    remove: () => rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 }),
  };
}

function fromHere(packages: readonly string[]): Record<string, string> {
  return Object.fromEntries(packages.map((name) => [name, resolve('node_modules', name)]));
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
