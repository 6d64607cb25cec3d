/** Checks the evidence of one purchase in a file that the user has: here, without the node. */
import { useId, useState } from 'preact/hooks';
import { explain } from '../../node/explainError.ts';
import { HOME, NODE_DID } from '../../node/here.ts';
import { ApprovedHow } from '../../parts/ApprovedHow.tsx';
import { Card } from '../../parts/Card.tsx';
import { LongId } from '../../parts/values/LongId.tsx';
import type { BundleVerdict } from '../../proofs/checkBundle.ts';
import { checkEvidence } from '../../proofs/loadCheck.ts';
import { count } from './figures.ts';

interface Result {
  readonly name: string;
  readonly checked: BundleVerdict;
}

/** A portable bundle has some dozen kilobytes. */
const MOST_BYTES = 20 * 1024 * 1024;

export function CheckFile() {
  const id = useId();
  const [result, setResult] = useState<Result>();
  const [isOver, setOver] = useState(false);
  const check = async (file: File | undefined) => {
    if (file === undefined) return;
    setResult(undefined);
    setResult({ name: file.name, checked: await checkedFile(file) });
  };
  return (
    <Card title="Check a file">
      <label
        class={`drop ${isOver ? 'over' : ''}`}
        for={id}
        onDragOver={(event) => {
          event.preventDefault();
          setOver(true);
        }}
        onDragLeave={() => setOver(false)}
        onDrop={(event) => {
          event.preventDefault();
          setOver(false);
          void check(event.dataTransfer?.files[0]);
        }}
      >
        <span>Drop the evidence of a purchase here, or choose a file.</span>
        <input
          id={id}
          type="file"
          accept="application/json,.json"
          onChange={(event) => void check(event.currentTarget.files?.[0])}
        />
      </label>
      {result !== undefined && <Verdict {...result} />}
      <p class="quiet">
        It is checked against <LongId id={NODE_DID} /> in this browser; nothing is sent anywhere.
      </p>
    </Card>
  );
}

async function checkedFile(file: File): Promise<BundleVerdict> {
  if (file.size > MOST_BYTES)
    return { ok: false, part: 'file', reason: 'It is too large to be the evidence of a purchase.' };
  try {
    return await checkEvidence(await file.text(), NODE_DID, HOME.origin);
  } catch (error) {
    return { ok: false, part: 'file', reason: explain(error).message };
  }
}

function Verdict({ name, checked }: Result) {
  if (!checked.ok) {
    return (
      <p class="verdict trouble" role="alert">
        <strong>
          <bdi>{name}</bdi> does not hold.
        </strong>{' '}
        {checked.reason}
      </p>
    );
  }
  return (
    <div class="verdict" role="status">
      <p>
        <span class="status good">
          <span aria-hidden="true">✓</span> It holds
        </span>{' '}
        <bdi>{name}</bdi> is the evidence of a purchase in a chain of {count(checked.chainSize)} events, signed by this
        node.
      </p>
      <ApprovedHow {...checked} />
    </div>
  );
}
