/** What payments are made through, and what each can do. */
import type { Operations } from '../../../client/operations.ts';
import { Card } from '../../parts/Card.tsx';
import { Empty } from '../../parts/Empty.tsx';
import { RailName } from '../../parts/values/RailName.tsx';

type RailState = Operations['showHealth']['output']['rails'][number];

export function Rails({ rails }: { readonly rails: readonly RailState[] }) {
  return (
    <Card title="Rails">
      {rails.length === 0 && (
        <Empty title="No rail, so no purchase can be paid">
          <p>
            Configure one, as <a href="../docs/configuration#rails">the documents</a> say, and start the node again.
          </p>
        </Empty>
      )}
      <ul class="rows">
        {rails.map((rail, index) => (
          <li key={rail.name} class="row">
            <span class="row-main">
              <span>
                <RailName rail={rail.name} /> <code class="quiet">{rail.name}</code>
              </span>
              <span class="quiet">{wordsOf(rail, index === 0).join(' · ')}</span>
            </span>
          </li>
        ))}
      </ul>
    </Card>
  );
}

function wordsOf({ movesMoney, partialCapture, partialRefund }: RailState, isFirst: boolean): readonly string[] {
  return [
    movesMoney ? 'moves money' : 'the node moves no money by it',
    ...(isFirst ? ['used where a policy names none'] : []),
    partialCapture ? 'captures in part' : 'captures the whole only',
    partialRefund ? 'refunds in part' : 'refunds the whole only',
  ];
}
