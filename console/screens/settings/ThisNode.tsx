/** Which node this is: its key and those before, what it runs, and in the sandbox the way to begin anew. */
import { may } from '../../login/may.ts';
import { IS_SANDBOX, NODE_DID, NODE_VERSION } from '../../node/here.ts';
import { node } from '../../node/node.ts';
import { useLoaded } from '../../node/useLoaded.ts';
import { Card } from '../../parts/Card.tsx';
import { CopyText } from '../../parts/CopyText.tsx';
import { Fact } from '../../parts/Fact.tsx';
import { Shown } from '../../parts/Shown.tsx';
import { SubPlaces } from '../../parts/SubPlaces.tsx';
import { LongId } from '../../parts/values/LongId.tsx';
import { When } from '../../parts/values/When.tsx';
import { Rails } from './Rails.tsx';
import { ResetSandbox } from './ResetSandbox.tsx';

const MOST_KEYS = 50;

export function ThisNode() {
  const found = useLoaded('node', load, ['issuer']);
  return (
    <SubPlaces of="/settings">
      <div class="split">
        <Shown of={found} rows={2} height={11}>
          {({ rotations, rails }) => (
            <>
              <IssuerKey rotations={rotations} />
              {rails === undefined ? <div /> : <Rails rails={rails} />}
              <Context />
            </>
          )}
        </Shown>
      </div>
    </SubPlaces>
  );
}

function Context() {
  return (
    <aside class="context stack">
      <Card title="This node">
        <dl class="facts">
          <Fact name="Version">{NODE_VERSION}</Fact>
          <Fact name="Environment">{IS_SANDBOX ? 'Sandbox: its own rail moves no money' : 'Production'}</Fact>
        </dl>
        <p class="quiet">
          The API is described in <a href="../docs/api">the documents</a>; keys and webhooks are under{' '}
          <a href="#/build">Build</a>.
        </p>
      </Card>
      {IS_SANDBOX && may('admin') && <ResetSandbox />}
    </aside>
  );
}

interface Rotation {
  readonly from: string;
  readonly at: string;
}

/** Together, and no more than the person may see. */
async function load(signal: AbortSignal) {
  const [found, health] = await Promise.all([
    node.searchEvidence({ eventType: 'ISSUER_ROTATED', limit: MOST_KEYS }, { signal }),
    may('admin') ? node.showHealth({}, { signal }) : undefined,
  ]);
  const rotations = found.data.map(({ data, createdAt }): Rotation => ({ from: String(data['from']), at: createdAt }));
  return { rotations, rails: health?.rails };
}

function IssuerKey({ rotations }: { readonly rotations: readonly Rotation[] }) {
  return (
    <Card title="Issuer">
      <p>The node signs everything with this key. Give it to everyone who verifies what the node signed.</p>
      <CopyText name="issuer’s DID" text={NODE_DID} />
      <details>
        <summary>How others verify it</summary>
        <p>An agent refuses every other node, and a file of evidence is checked against it:</p>
        <CopyText name="TypeScript line" text={`await connect(baseUrl, agent, { nodeDid: '${NODE_DID}' });`} />
        <CopyText name="command" text={`countersign evidence verify bundle.json --issuer ${NODE_DID}`} />
      </details>
      <details>
        <summary>Replace the key</summary>
        <p>
          Stop every node of this database, and run this beside its data folder. What the old key signed stays valid.
          Then give the new DID to those who verify what this node signs, and make a backup with its keys: older ones
          hold the old key. After a theft add <code>--compromised</code>.
        </p>
        <CopyText name="command" text="countersign key rotate-issuer" />
      </details>
      <h3>Former keys</h3>
      {rotations.length === 0 ? (
        <p class="quiet">None: this is the first key.</p>
      ) : (
        <dl class="facts">
          {rotations.map(({ from, at }) => (
            <Fact key={from} name={<When time={at} />}>
              <LongId id={from} /> <span class="quiet">signed until then</span>
            </Fact>
          ))}
        </dl>
      )}
    </Card>
  );
}
