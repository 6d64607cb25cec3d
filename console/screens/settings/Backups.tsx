/** A backup of the whole node: made beside it, then downloaded. It holds no key. */
import { useEffect, useState } from 'preact/hooks';
import type { Operations } from '../../../client/operations.ts';
import { runsWith } from '../../node/here.ts';
import { node } from '../../node/node.ts';
import { type Archive, saveBackup } from '../../node/saveBackup.ts';
import { Button } from '../../parts/Button.tsx';
import { Card } from '../../parts/Card.tsx';
import { Empty } from '../../parts/Empty.tsx';
import { say } from '../../parts/toasts.ts';
import { sizeText } from '../../parts/values/sizeText.ts';
import { When } from '../../parts/values/When.tsx';

export type BackupState = Operations['showBackup']['output'];

/** How often it is asked how far one is. */
const LOOK_MS = 1000;

interface BackupsProps {
  readonly first: BackupState;
  onDone(): void;
}

export function Backups({ first, onDone }: BackupsProps) {
  const [backup, setBackup] = useState(first);
  const isRunning = backup.state === 'RUNNING';
  useEffect(() => setBackup(first), [first]);
  useEffect(() => {
    if (!isRunning) return undefined;
    const look = () => void node.showBackup({}).then(setBackup, () => undefined);
    const timer = setInterval(look, LOOK_MS);
    return () => clearInterval(timer);
  }, [isRunning]);
  const make = async () => setBackup(await node.startBackup({}));
  const { progress, failure, archive } = backup;
  return (
    <Card title="Backup">
      <p>
        The whole database, in one file for <code>countersign restore</code>. <strong>It holds no key</strong>: keep{' '}
        <code>issuer.key</code> and <code>root.key</code> of the node apart.
        {runsWith('backups') && (
          <>
            {' '}
            The node also makes them <a href="#/settings/backups">on a schedule</a>.
          </>
        )}
      </p>
      {failure !== undefined && <p class="note">{failure}</p>}
      {isRunning && <Running {...(progress ?? { done: 0, total: 1 })} />}
      {archive === undefined
        ? !isRunning && <Empty title="No backup to download yet" />
        : !isRunning && <Download archive={archive} onDone={onDone} />}
      {!isRunning && (
        <div class="buttons">
          <Button onClick={make}>Create a backup</Button>
        </div>
      )}
    </Card>
  );
}

function Running({ done, total }: { readonly done: number; readonly total: number }) {
  return (
    <div class="progress">
      <p id="backup-progress">Copying the database…</p>
      <progress aria-labelledby="backup-progress" value={done} max={Math.max(total, 1)} />
    </div>
  );
}

function Download({ archive, onDone }: { readonly archive: Archive; onDone(): void }) {
  const [bytes, setBytes] = useState<number>();
  const save = async () => {
    setBytes(0);
    try {
      await saveBackup(archive, setBytes);
      say('Downloaded, and its checksum is right. Keep the file on another machine.');
      onDone();
    } finally {
      setBytes(undefined);
    }
  };
  return (
    <>
      <p>
        Made <When time={archive.createdAt} />: {sizeText(archive.bytes)}, {archive.events.toLocaleString('en-US')}{' '}
        events of evidence.
      </p>
      {bytes !== undefined && (
        <div class="progress">
          <p id="download-progress">Downloading and checking…</p>
          <progress aria-labelledby="download-progress" value={bytes} max={archive.bytes} />
        </div>
      )}
      <div class="buttons">
        <Button disabled={bytes !== undefined} onClick={save}>
          Download
        </Button>
      </div>
    </>
  );
}
