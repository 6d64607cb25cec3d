/** Backups of a node on SQLite over the API: to have one made, to see how far it is, and to download it. */
import { z } from 'zod';
import { compact } from '../../../protocol/wire/compact.ts';
import { Fault } from '../../../protocol/wire/fault.ts';
import { isoTime } from '../../../protocol/wire/time.ts';
import { recordAdminEvent } from '../../domain/evidence/recordEvent.ts';
import { requireBackups, requireWholeNode } from '../../domain/operator/requireWholeNode.ts';
import { ByteStream } from '../../usecase/byteStream.ts';
import type { BackupFile, Backups } from '../../usecase/deps.ts';
import { inSteps, useCase } from '../../usecase/useCase.ts';

const NoInput = z.object({});

const BackupArchive = z.object({
  fileName: z.string(),
  createdAt: z.string(),
  bytes: z.int().describe('Of the archive.'),
  sha256: z.string().describe('Of the archive, in hexadecimal.'),
  events: z.int().describe('Of evidence.'),
  rows: z.int().describe('Of all tables.'),
  schemaVersion: z.int(),
});

const BackupState = z.object({
  state: z
    .enum(['NONE', 'RUNNING', 'READY', 'FAILED'])
    .describe('Of the newest backup that this node was asked for. READY: it can be downloaded.'),
  startedAt: z.string().optional().describe('Of one that is RUNNING or FAILED.'),
  progress: z
    .object({ done: z.int(), total: z.int() })
    .optional()
    .describe('How many pages of the database were copied, of how many; what comes after the copy is not counted.'),
  failure: z.string().optional().describe('Why it FAILED, and what to do.'),
  archive: BackupArchive.optional().describe('The one that can be downloaded, perhaps of an earlier time.'),
  lastBackupAt: z.string().optional().describe('When one was last made by a command, or downloaded whole.'),
});
type BackupState = z.infer<typeof BackupState>;

export const startBackup = useCase({
  summary:
    'Has a backup of the whole node made, without its keys, to be downloaded once it is READY. One that is being made goes on.',
  input: NoInput,
  output: BackupState,
  permission: 'admin',
  stepUp: true,
  faults: ['FORBIDDEN', 'CONFLICT'],
  run: inSteps<z.output<typeof NoInput>, BackupState>(async (deps, caller) => {
    const backups = await deps.store.write(caller.tenantId, function* (now) {
      yield* requireWholeNode(caller);
      const found = requireBackups(deps);
      yield* recordAdminEvent(deps, caller, 'BACKUP_STARTED', {}, now);
      return found;
    });
    backups.start();
    return stateOf(backups);
  }),
});

export const showBackup = useCase({
  summary: 'Shows how far the newest backup is, and which one can be downloaded.',
  input: NoInput,
  output: BackupState,
  permission: 'admin',
  faults: ['CONFLICT'],
  run: inSteps<z.output<typeof NoInput>, BackupState>(async (deps) => stateOf(requireBackups(deps))),
});

export const downloadBackup = useCase({
  summary: 'Downloads the newest backup that is whole: a tar archive for `countersign restore`.',
  input: NoInput,
  output: z.string(),
  media: ['application/x-tar'],
  endless: true,
  permission: 'admin',
  stepUp: true,
  faults: ['FORBIDDEN', 'NOT_FOUND', 'CONFLICT'],
  run: inSteps<z.output<typeof NoInput>, ByteStream>(async (deps, caller) => {
    await deps.store.read(() => requireWholeNode(caller));
    const backups = requireBackups(deps);
    let archive = backups.latest();
    let former: BackupFile | undefined;
    // Another one may take its place at any moment.
    while (archive !== undefined && archive !== former) {
      const { bytes, sha256, createdAt, fileName } = archive;
      const facts = { createdAt: isoTime(createdAt), bytes, sha256 };
      // Before the first byte goes: the caller who has it is known, also where the download fails.
      await deps.store.write(caller.tenantId, (now) => recordAdminEvent(deps, caller, 'BACKUP_DOWNLOADED', facts, now));
      const pieces = await backups.read(archive, () => backups.noteKept({ createdAt }));
      if (pieces !== undefined) return new ByteStream('application/x-tar', pieces, fileName);
      former = archive;
      archive = backups.latest();
    }
    throw new Fault('NOT_FOUND', 'There is no backup to download; have one made first (POST /ap2/admin/backups).');
  }),
});

function stateOf(backups: Backups): BackupState {
  const attempt = backups.attempt();
  const latest = backups.latest();
  const state: BackupState['state'] = attempt.state === 'NONE' && latest !== undefined ? 'READY' : attempt.state;
  return compact({
    state,
    startedAt: attempt.state === 'NONE' ? undefined : isoTime(attempt.startedAt),
    progress: attempt.state === 'RUNNING' ? { done: attempt.done, total: attempt.total } : undefined,
    failure: attempt.state === 'FAILED' ? attempt.reason : undefined,
    archive: latest && { ...latest, createdAt: isoTime(latest.createdAt) },
    lastBackupAt: isoTime(backups.lastAt() ?? null) ?? undefined,
  });
}
