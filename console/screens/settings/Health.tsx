/** How the node is: what it finds of itself, each with what to do; what is stuck, and what is not reached. */
import type { AttentionItem, Operations, Webhook } from '../../../client/operations.ts';
import { isOwner } from '../../login/may.ts';
import { node } from '../../node/node.ts';
import { useLoaded } from '../../node/useLoaded.ts';
import { Card } from '../../parts/Card.tsx';
import { Fact } from '../../parts/Fact.tsx';
import { Shown } from '../../parts/Shown.tsx';
import { SubPlaces } from '../../parts/SubPlaces.tsx';
import { Sentence } from '../../parts/values/Sentence.tsx';
import { Status } from '../../parts/values/Status.tsx';
import { When } from '../../parts/values/When.tsx';
import { type BackupState, Backups } from './Backups.tsx';
import { FailingWebhooks, StuckPayments } from './Stuck.tsx';

type NodeHealth = Operations['showHealth']['output'];
type Check = NodeHealth['checks'][number];

const MOST = 200;

export function Health() {
  const found = useLoaded('health', load, ['payment', 'webhook', 'policy', 'test', 'backup']);
  return (
    <SubPlaces of="/settings">
      <Shown of={found} rows={3} height={11}>
        {({ health, stuck, failing, backup }) => (
          <div class="split">
            <Summary health={health} open={stuck.length + failing.length} />
            <aside class="context">{backup !== undefined && <Backups first={backup} onDone={found.reload} />}</aside>
            <div class="stack">
              <StuckPayments stuck={stuck} onDone={found.reload} />
              <FailingWebhooks failing={failing} />
              <Checks checks={health.checks} />
            </div>
          </div>
        )}
      </Shown>
    </SubPlaces>
  );
}

interface HealthReport {
  readonly health: NodeHealth;
  /** Payments that need a look. */
  readonly stuck: readonly AttentionItem[];
  /** Endpoints that take nothing now. */
  readonly failing: readonly Webhook[];
  /** For who may have one made, of a node that has a folder. */
  readonly backup: BackupState | undefined;
}

async function load(signal: AbortSignal): Promise<HealthReport> {
  const [health, attention, webhooks] = await Promise.all([
    node.showHealth({}, { signal }),
    node.showAttention({}, { signal }),
    node.listWebhooks({ limit: MOST }, { signal }),
  ]);
  return {
    health,
    stuck: attention.items.filter(({ kind }) => kind === 'payment'),
    backup: isOwner() && health.engine === 'sqlite' ? await node.showBackup({}, { signal }) : undefined,
    failing: webhooks.data.filter(({ status, failingSince }) => status === 'ACTIVE' && failingSince !== undefined),
  };
}

interface SummaryProps {
  readonly health: NodeHealth;
  readonly open: number;
}

function Summary({ health, open }: SummaryProps) {
  const { checks, version, engine, environment, lastBackupAt } = health;
  const wrong = checks.filter(({ level }) => level !== 'ok').length;
  return (
    <Card title={summaryOf(wrong, open)} aside={<Status state={levelOf(checks, open)} />}>
      <dl class="facts">
        <Fact name="Version">{version}</Fact>
        <Fact name="Store">
          {engine === 'sqlite' ? 'SQLite' : 'PostgreSQL'}, {environment}
        </Fact>
        <Fact name="Last backup">
          {lastBackupAt === undefined ? (
            'None is kept elsewhere yet: make one and download it'
          ) : (
            <When time={lastBackupAt} />
          )}
        </Fact>
      </dl>
    </Card>
  );
}

function summaryOf(wrong: number, open: number): string {
  if (wrong > 0) return wrong === 1 ? 'One check found something' : `${wrong} checks found something`;
  if (open === 0) return 'The node is well';
  return open === 1 ? 'One thing needs a look' : `${open} things need a look`;
}

function levelOf(checks: readonly Check[], open: number): Check['level'] {
  const worst = ORDER.find((each) => checks.some(({ level }) => level === each)) ?? 'ok';
  return worst === 'ok' && open > 0 ? 'warning' : worst;
}

/** What is wrong comes first. */
const ORDER = ['fault', 'warning', 'ok'] as const satisfies readonly Check['level'][];

function Checks({ checks }: { readonly checks: readonly Check[] }) {
  const wrong = checks
    .filter(({ level }) => level !== 'ok')
    .sort((one, other) => ORDER.indexOf(one.level) - ORDER.indexOf(other.level));
  const passed = checks.filter(({ level }) => level === 'ok');
  return (
    <Card title="Checks">
      {wrong.length > 0 && <CheckRows checks={wrong} />}
      {passed.length > 0 && (
        <details>
          <summary>{passed.length === 1 ? '1 check passed' : `${passed.length} checks passed`}</summary>
          <CheckRows checks={passed} />
        </details>
      )}
    </Card>
  );
}

function CheckRows({ checks }: { readonly checks: readonly Check[] }) {
  return (
    <ul class="rows">
      {checks.map(({ check, level, message, remedy }) => (
        <li key={check} class="row check">
          <span class="row-main">
            <strong>{nameOf(check)}</strong>
            <Sentence text={message} />
            {remedy !== undefined && (
              <span class="quiet">
                What to do: <bdi>{remedy}</bdi>
              </span>
            )}
          </span>
          <Status state={level} />
        </li>
      ))}
    </ul>
  );
}

function nameOf(check: string): string {
  return check.charAt(0).toUpperCase() + check.slice(1);
}
