/** Where a developer begins: the addresses of this node, and what each place here is for. */
import { may, type OwnPermission } from '../../login/may.ts';
import { HAS_PLAYGROUND, HOME, NODE_DID, runsWith } from '../../node/here.ts';
import { Card } from '../../parts/Card.tsx';
import { CopyText } from '../../parts/CopyText.tsx';
import { Fact } from '../../parts/Fact.tsx';
import { Icon } from '../../parts/Icon.tsx';
import { SubPlaces } from '../../parts/SubPlaces.tsx';
import { LongId } from '../../parts/values/LongId.tsx';

const BASE = HOME.href.replace(/\/$/, '');

const WAYS: readonly (readonly [href: string, name: string, what: string, permission: OwnPermission])[] = [
  ...(HAS_PLAYGROUND
    ? ([['#/build/playground', 'Playground', 'An agent in this browser buys; no money moves.', 'admin']] as const)
    : []),
  ['#/agents/new', 'Add an agent', 'Create its key, and copy the lines that connect it.', 'admin'],
  ['#/build/keys', 'API keys', 'For your programs that call the node.', 'admin'],
  ['#/build/webhooks', 'Webhooks', 'The node posts events to your systems.', 'admin'],
  ['#/build/events', 'Live events', 'Events of this node while they happen.', 'read'],
];

/** From the node’s address; what a browser can open is a link. */
const ADDRESSES: readonly (readonly [path: string, name: string, isPage: boolean])[] = [
  ['/docs', 'Documents', true],
  ['/openapi.json', 'OpenAPI', true],
  ['/llms.txt', 'llms.txt', true],
  ['/.well-known/agent-card.json', 'A2A agent card', true],
  ['/a2a/gateway', 'A2A gateway', false],
  ...(runsWith('mcp') ? ([['/mcp', 'MCP', false]] as const) : []),
];

export function Build() {
  const ways = WAYS.filter(([, , , permission]) => may(permission));
  return (
    <SubPlaces
      of="/build"
      act={
        HAS_PLAYGROUND &&
        may('admin') && (
          <a class="button first" href="#/build/playground">
            Open the playground
          </a>
        )
      }
    >
      <div class="split">
        <Card title="Connect your programs">
          <ul class="rows">
            {ways.map(([href, name, what]) => (
              <li key={href}>
                <a class="row" href={href}>
                  <span class="row-main">
                    <strong>{name}</strong>
                    <span class="quiet">{what}</span>
                  </span>
                  <Icon name="next" size={20} />
                </a>
              </li>
            ))}
          </ul>
        </Card>
        <aside class="context">
          <Card title="Addresses">
            <CopyText name="node’s address" text={BASE} />
            <dl class="facts">
              {ADDRESSES.map(([path, name, isPage]) => (
                <Fact key={path} name={name}>
                  {isPage ? (
                    <a class="inline-link" href={`..${path}`}>
                      {path}
                    </a>
                  ) : (
                    <code>{path}</code>
                  )}
                </Fact>
              ))}
              <Fact name="Issuer">
                <LongId id={NODE_DID} />
              </Fact>
            </dl>
          </Card>
        </aside>
      </div>
    </SubPlaces>
  );
}
