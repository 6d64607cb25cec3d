/** `countersign backup --url`: has a running node make a backup, and downloads it. */
import { createHash } from 'node:crypto';
import { createWriteStream, existsSync, rmSync } from 'node:fs';
import { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Operations } from '../../../client/operations.ts';
import { CommandRefusal, WrongUse } from '../commandFailure.ts';
import { requireFolderOf } from '../input/files.ts';
import { colour, print, progress } from '../output/print.ts';
import type { TargetOptions } from '../target/targetOptions.ts';
import { type Target, withTarget } from '../target/withTarget.ts';
import { fileOf } from './backUpFolder.ts';

type Archive = NonNullable<Operations['showBackup']['output']['archive']>;

const LOOK_MS = 500;

/** @param given the file to make, or a folder to put one into */
export function backUpRemote(env: NodeJS.ProcessEnv, given: string, options: TargetOptions): Promise<void> {
  const file = fileOf(given);
  requireFolderOf(file);
  if (existsSync(file)) throw new WrongUse(`${file} exists already; a backup overwrites nothing.`);
  return withTarget(env, options, async (target) => {
    const archive = await made(target);
    const sha256 = await save(target, file);
    if (sha256 !== archive.sha256) {
      rmSync(file);
      throw new CommandRefusal(
        'FAILED',
        'Another backup took its place while this one was downloaded; run the command again.',
      );
    }
    const lines = [
      `${colour.bold(file)}: ${archive.rows} rows, ${archive.events} chained events, schema ${archive.schemaVersion}.`,
      'It holds no key: keep issuer.key and root.key of the node as well, nothing works without them.',
      `Back: countersign restore ${file} --data-dir FOLDER`,
    ];
    print(options, { file, ...archive }, lines.join('\n'));
  });
}

/** @returns the backup once it is whole @throws CommandRefusal where there will be none */
async function made({ client }: Target): Promise<Archive> {
  const bar = progress('Copying');
  try {
    for (let state = await client.startBackup(); ; state = await client.showBackup()) {
      if (state.state === 'READY' && state.archive !== undefined) return state.archive;
      if (state.state !== 'RUNNING')
        throw new CommandRefusal('FAILED', `No backup was made: ${state.failure ?? state.state}`);
      if (state.progress !== undefined) bar.at(state.progress.done, state.progress.total);
      await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
    }
  } finally {
    bar.end();
  }
}

/** @returns the SHA-256 of what was saved, in hexadecimal */
async function save(target: Target, file: string): Promise<string> {
  const hash = createHash('sha256');
  const hashing = new Transform({
    transform(piece: Buffer, _encoding, done) {
      hash.update(piece);
      done(null, piece);
    },
  });
  try {
    await pipeline(
      Readable.from(target.downloadBackup()),
      hashing,
      createWriteStream(file, { mode: 0o600, flags: 'wx' }),
    );
  } catch (error) {
    rmSync(file, { force: true });
    throw error;
  }
  return hash.digest('hex');
}
