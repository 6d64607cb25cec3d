/** Metrics in the Prometheus format, by prom-client. */
import { AggregatorRegistry, Counter, collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import { failingBefore } from '../../protocol/webhook/subscription.ts';
import { countUnknownPayments } from '../store/statements/purchases/payments.ts';
import { countFlaggedAttempts } from '../store/statements/purchases/railAttempts.ts';
import { countUndelivered } from '../store/statements/webhooks/deliveries.ts';
import { countFailingWebhooks } from '../store/statements/webhooks/subscriptions.ts';
import type { Store } from '../store/store.ts';
import type { CountedMetrics, Metrics } from '../usecase/metrics.ts';
import type { CheckpointKeeper } from '../usecase/services.ts';

interface MetricSources {
  readonly store: Store;
  readonly version: string;
  readonly checkpoints: CheckpointKeeper;
  /** What each gate counts for itself; together it is what the node answered. */
  countGates(): Promise<readonly CountedMetrics[]>;
  /** How often the clock was found set back. */
  timesSetBack(): number;
}

export function nodeMetrics(counted: MetricSources): Metrics {
  const { countGates, timesSetBack } = counted;
  const registry = new Registry();
  const registers = [registry];
  // Event-loop lag, memory and garbage collection among them.
  collectDefaultMetrics({ register: registry, prefix: 'countersign_' });
  const decisions = new Counter({
    name: 'countersign_decisions_total',
    help: 'Judgements by step and outcome.',
    labelNames: ['step', 'outcome'],
    registers,
  });
  const reasons = new Counter({
    name: 'countersign_refusal_reasons_total',
    help: 'Reason codes of refusals by step; one refusal may have several.',
    labelNames: ['step', 'reason'],
    registers,
  });
  const rails = new Counter({
    name: 'countersign_rail_outcomes_total',
    help: 'Answers of rails by operation and outcome; unknown is no answer.',
    labelNames: ['rail', 'operation', 'outcome'],
    registers,
  });
  const deliveries = new Counter({
    name: 'countersign_webhook_attempts_total',
    help: 'Attempts at webhook deliveries by outcome.',
    labelNames: ['outcome'],
    registers,
  });
  addGauges(registry, counted);

  return {
    decision(step, reasonCodes) {
      decisions.inc({ step, outcome: reasonCodes === undefined ? 'allowed' : 'refused' });
      for (const reason of reasonCodes ?? []) reasons.inc({ step, reason });
    },
    rail: (rail, operation, outcome) => rails.inc({ rail, operation, outcome }),
    delivery: (outcome) => deliveries.inc({ outcome }),
    gauge: gaugeIn(registry),
    timesSetBack,
    async expose() {
      const gates = AggregatorRegistry.aggregate([...(await countGates())]);
      return { text: (await registry.metrics()) + (await gates.metrics()), contentType: registry.contentType };
    },
    async count() {
      const gates = AggregatorRegistry.aggregate([...(await countGates())]);
      return [...(await registry.getMetricsAsJSON()), ...(await gates.getMetricsAsJSON())];
    },
  };
}

/** Gauges, which are read when the metrics are collected. */
function addGauges(registry: Registry, { store, version, checkpoints: { faults } }: MetricSources): void {
  const gauge = gaugeIn(registry);
  gauge('countersign_webhook_outbox', 'Webhook deliveries that wait or are under way, on all nodes.', () =>
    store.read(countUndelivered),
  );
  gauge('countersign_webhooks_failing', 'Endpoints that nothing has reached for five days, on all nodes.', () =>
    store.read((now) => countFailingWebhooks(failingBefore(now))),
  );
  gauge('countersign_payments_unknown', 'Payments that no rail has answered for yet, on all nodes.', () =>
    store.read(countUnknownPayments),
  );
  gauge('countersign_rail_attempts_flagged', 'Requests to rails that a person has to look at, on all nodes.', () =>
    store.read(countFlaggedAttempts),
  );
  gauge(
    'countersign_checkpoints_refused',
    'Tenants whose evidence does not extend the last checkpoint that this node kept.',
    () => faults.size,
  );
  gauge('countersign_commits_total', 'Commits since start.', () => store.stats().commits);
  gauge('countersign_statements_total', 'Statements run since start.', () => store.stats().statements);
  gauge('countersign_views_behind_seconds', 'How far the views of lists are behind the ledger.', () => {
    return (store.stats().views?.behindMs ?? 0) / 1000;
  });
  gauge('countersign_commit_group_size', 'Scripts a commit, on average since start.', () => {
    const { commits, scripts } = store.stats();
    return commits === 0 ? 0 : scripts / commits;
  });
  new Gauge({
    name: 'countersign_build_info',
    help: 'Which program this is; always 1.',
    labelNames: ['version', 'engine', 'node'],
    registers: [registry],
  }).set({ version, engine: store.engine, node: process.version }, 1);
}

function gaugeIn(registry: Registry): Metrics['gauge'] {
  return (name, help, read) => {
    new Gauge({
      name,
      help,
      registers: [registry],
      async collect() {
        this.set(await read());
      },
    });
  };
}
