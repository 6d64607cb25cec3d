/** Traces and metrics as a collector of OpenTelemetry gets them, by OTLP over HTTP. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { everyEngine } from '../support/engines.ts';
import { subscribe } from '../support/hooks.ts';
import { approve } from '../support/purchase.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';
import { ADMIN_KEY, type Loose, makeWorld, type World } from '../support/world.ts';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const CALLER = '00f067aa0ba902b7';

interface Span {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly kind: number;
  readonly attributes: readonly { readonly key: string; readonly value: Loose }[];
}

const spansIn = ({ received }: Receiver): Span[] =>
  received
    .filter(({ path }) => path === '/v1/traces')
    .flatMap(({ event }) => event.resourceSpans)
    .flatMap(({ scopeSpans }: Loose) => scopeSpans)
    .flatMap(({ spans }: Loose) => spans);

for (const engine of everyEngine()) {
  describe(`a collector on ${engine.name}`, () => {
    let collector: Receiver;
    let owner: Receiver;
    let world: World;
    let isClosed = false;
    before(async () => {
      collector = await startReceiver();
      owner = await startReceiver();
      world = await makeWorld(engine, {
        OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
        OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
        OTEL_EXPORTER_OTLP_HEADERS: 'api-key=collector-secret',
        OTEL_METRIC_EXPORT_INTERVAL: '3600000',
        // The gate in the core's thread, and in one of its own.
        GATES: engine.name === 'sqlite' ? '0' : '1',
      });
    });
    after(async () => {
      if (!isClosed) await world.close();
      await collector.close();
      await owner.close();
    });

    test('gets one tree of a payment, from its caller through gate, core and rail to the webhook', async () => {
      await subscribe(world, `${owner.url}/paid`, ['payment.authorized']);
      const approvalToken = await approve(world, 30);
      const headers = {
        Authorization: `Bearer ${ADMIN_KEY}`,
        traceparent: `00-${TRACE}-${CALLER}-01`,
        tracestate: 'vendor=kept',
      };
      const paid = await world.rest('POST', '/ap2/payments/mandate', { approvalToken }, headers);
      assert.equal(paid.status, 200, paid.text);
      const [posted] = await owner.wait(1);
      // What waits is sent then.
      isClosed = true;
      await world.close();

      const spans = spansIn(collector).filter(({ traceId }) => traceId === TRACE);
      const named = (name: RegExp) => {
        const found = spans.filter((span) => name.test(span.name));
        assert.ok(found.length > 0, `no span ${name} among ${spans.map((span) => span.name).join(', ')}`);
        return found[0] as Span;
      };
      const gate = named(/^POST \/ap2\/payments\/mandate$/);
      assert.equal(gate.parentSpanId, CALLER);
      const core = named(/^core mandatePayment$/);
      assert.equal(core.parentSpanId, gate.spanId);
      const rail = named(/^rail authorize$/);
      assert.equal(rail.parentSpanId, core.spanId);
      const write = named(/^store write$/);
      assert.equal(write.parentSpanId, core.spanId);
      const webhook = named(/^webhook payment\.authorized$/);
      const causes = spans.filter(({ name }) => name === 'store write').map(({ spanId }) => spanId);
      assert.ok(causes.includes(String(webhook.parentSpanId)), 'the webhook hangs from the commit that caused it');
      assert.equal(posted?.headers['traceparent'], `00-${TRACE}-${webhook.spanId}-01`);
      assert.equal(posted?.headers['tracestate'], 'vendor=kept');
    });

    test('is told no DID, no amount, no merchant and no secret in any span', () => {
      const spans = spansIn(collector);
      assert.ok(spans.length > 20);
      const told = JSON.stringify(spans.map(({ name, attributes }) => ({ name, attributes })));
      for (const secret of [/did:/, /shop\.example/, /ak_test/, /mnd_|usr_|pi_/, /collector-secret/])
        assert.doesNotMatch(told, secret);
      const requests = collector.received.map(({ headers }) => headers['api-key']);
      assert.ok(requests.every((key) => key === 'collector-secret'));
    });

    test('gets the metrics of /metrics under the same names', () => {
      const { event } = collector.received.find(({ path }) => path === '/v1/metrics') as Loose;
      const [{ resource, scopeMetrics }] = event.resourceMetrics;
      assert.ok(
        resource.attributes.some(
          ({ key, value }: Loose) => key === 'service.name' && value.stringValue === 'countersign',
        ),
      );
      const metrics: Loose[] = scopeMetrics.flatMap(({ metrics }: Loose) => metrics);
      const metric = (name: string) => metrics.find((each) => each.name === name);
      const payments = metric('countersign_request_seconds').histogram.dataPoints.find(({ attributes }: Loose) =>
        attributes.some(({ value }: Loose) => value.stringValue === '/ap2/payments/mandate'),
      );
      assert.equal(Number(payments.count), 1);
      assert.equal(
        payments.bucketCounts.map(Number).reduce((sum: number, one: number) => sum + one),
        1,
      );
      assert.equal(payments.bucketCounts.length, payments.explicitBounds.length + 1);
      assert.ok(metric('countersign_decisions_total').sum.isMonotonic);
      assert.equal(Number(metric('countersign_build_info').gauge.dataPoints[0].asDouble), 1);
    });
  });
}

test('a collector that never answers holds up neither a request nor the stop', async () => {
  const collector = await startReceiver();
  collector.answer = () => {};
  const [engine] = everyEngine();
  assert.ok(engine);
  const world = await makeWorld(engine, { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url });
  assert.equal((await world.rest('GET', '/ap2/agents')).status, 200);
  const began = performance.now();
  await world.close();
  assert.ok(performance.now() - began < 6000, `the stop took ${performance.now() - began} ms`);
  await collector.close();
});
