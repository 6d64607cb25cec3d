/** Examples: backups of each night go to a bucket. */
import { AT } from '../../documents/examples/story/story.ts';

const schedule = {
  every: 'day' as const,
  hour: 2,
  keep: 14,
  target: {
    kind: 'bucket' as const,
    endpoint: 'https://s3.eu-central-1.amazonaws.com',
    region: 'eu-central-1',
    bucket: 'ada-backups',
    prefix: 'countersign/',
    accessKeyId: 'AKIAIOSFODNN7EXAMPLE',
  },
};

const shown = {
  schedule,
  nextAt: AT,
  kept: [
    {
      fileName: 'countersign-kTqRr1tD-20260512T020000Z.tar',
      createdAt: AT,
      bytes: 4_915_200,
      sha256: '9f2feb0f1ef425b292f2f94bc8482494df430413b8c4e0c8f0d9f6d0a1b2c3d4',
      events: 5120,
      rows: 18_344,
      triedAt: AT,
    },
  ],
};

export const scheduleExamples = {
  showBackupSchedule: { input: {}, output: shown },
  setBackupSchedule: {
    input: {
      ...schedule,
      target: { ...schedule.target, secretAccessKey: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY' },
    },
    output: { schedule, nextAt: AT, kept: [] },
    notPlayed: 'it is tried at a bucket of the reader’s',
  },
  endBackupSchedule: { input: {}, output: { kept: [] } },
  startScheduledBackup: { input: {}, output: shown, notPlayed: 'it needs a schedule' },
};
