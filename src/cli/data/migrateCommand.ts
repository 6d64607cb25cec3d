/** `countersign migrate`: moves a node's data from SQLite to PostgreSQL or back, and proves that all of it arrived. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Command, InvalidArgumentError } from 'commander';
import pc from 'picocolors';
import { nativeSuite } from '../../crypto/nativeSuite.ts';
import { DATABASE, KEY } from '../../maintenance/manifest.ts';
import { transfer } from '../../maintenance/transfer.ts';
import { openStore } from '../../store/openStore.ts';
import type { Store } from '../../store/store.ts';
import { progress } from '../output/progress.ts';
import { print } from '../target/reach.ts';

interface MigrateOptions {
  readonly from: string;
  readonly to: string;
  readonly json?: boolean;
}

const FORM = 'sqlite:FOLDER or postgres://…';

export function migrateCommand(): Command {
  return new Command('migrate')
    .description('Move all data from one database into another, empty one, and verify every row and chain there.')
    .requiredOption('--from <database>', `${FORM}; no node may run on it`, checked)
    .requiredOption('--to <database>', FORM, checked)
    .option('--json', 'answer in JSON')
    .action(migrate);
}

async function migrate(options: MigrateOptions): Promise<void> {
  const folder = folderOf(options.from);
  if (folder !== undefined && !existsSync(join(folder, DATABASE))) {
    throw new Error(`There is no database in ${folder}; --from names the DATA_DIR of a node.`);
  }
  const from = await openDatabase(options.from);
  const bar = progress('Moving');
  try {
    const to = await openDatabase(options.to);
    try {
      const moved = await transfer(nativeSuite(), from, to, Date.now(), bar.at);
      bar.end();
      const rows = Object.values(moved.tables).reduce((sum, table) => sum + table.rows, 0);
      const events = moved.chains.reduce((sum, chain) => sum + chain.events, 0);
      const done = `${pc.green('✓')} ${rows} rows and ${events} chained events arrived as they were.`;
      print(options, moved, `${done}\n${next(options)}`);
    } finally {
      bar.end();
      await to.close();
    }
  } finally {
    await from.close();
  }
}

/** The key is not in the database, and the node needs it as before. */
function next({ from, to }: MigrateOptions): string {
  const [source, target] = [folderOf(from), folderOf(to)];
  if (target === undefined) {
    const key = source === undefined ? 'the same ISSUER_KEY_FILE' : `ISSUER_KEY_FILE=${join(source, KEY)}`;
    return `Next: start the nodes with DATABASE_URL set to the new database, and ${key}.`;
  }
  const key = source === undefined ? "the issuer's key file" : join(source, KEY);
  return existsSync(join(target, KEY))
    ? `Next: start the node with DATA_DIR=${target}.`
    : `Next: copy ${key} to ${join(target, KEY)}, and start the node with DATA_DIR=${target}.`;
}

function checked(text: string): string {
  if (/^(sqlite:.|postgres(ql)?:\/\/.)/.test(text)) return text;
  throw new InvalidArgumentError(`It is to be ${FORM}.`);
}

function openDatabase(text: string): Promise<Store> {
  const folder = folderOf(text);
  const clock = Date.now;
  if (folder !== undefined) return openStore({ file: join(folder, DATABASE), clock });
  return openStore({ databaseUrl: text, file: '', clock });
}

function folderOf(text: string): string | undefined {
  return text.startsWith('sqlite:') ? text.slice('sqlite:'.length) : undefined;
}
