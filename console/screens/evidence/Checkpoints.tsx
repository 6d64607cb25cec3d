/** The signed checkpoints of the chain, newest first, to be kept by a user who wants to hold the node to them. */
import type { Operations } from '../../../client/operations.ts';
import { download } from '../../node/files.ts';
import { HOME } from '../../node/here.ts';
import { Button } from '../../parts/Button.tsx';
import { Card } from '../../parts/Card.tsx';
import { Empty } from '../../parts/Empty.tsx';
import { Icon } from '../../parts/Icon.tsx';
import { When } from '../../parts/values/When.tsx';
import { remembered } from '../../proofs/remembered.ts';
import { count } from './figures.ts';

type Checkpoint = Operations['listCheckpoints']['output']['data'][number];

export function Checkpoints({ checkpoints }: { readonly checkpoints: readonly Checkpoint[] }) {
  const known = new Set(remembered(HOME.href).map(({ size }) => size));
  return (
    <Card title="Checkpoints">
      {checkpoints.length === 0 ? (
        <Empty title="No checkpoint yet">
          <p class="quiet">The node signs one over the whole chain every few minutes in which something happens.</p>
        </Empty>
      ) : (
        <ul class="rows">
          {checkpoints.map(({ size, note, createdAt }) => (
            <li key={size} class="row">
              <span class="row-main">
                <span>{count(size)} events</span>
                <span class="quiet">
                  <When time={createdAt} />
                  {known.has(size) && ' · this browser remembers it'}
                </span>
              </span>
              <Button
                kind="plain"
                label={`Save the checkpoint over ${count(size)} events`}
                onClick={() => download(`checkpoint-${size}.txt`, note, 'text/plain')}
              >
                <Icon name="download" size={20} /> Save
              </Button>
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}
