/** The picture of docs/guides/monitoring.md: the trace of one purchase, drawn from the spans that a collector got of it. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { openChromium } from '../support/chromium.ts';
import { everyEngine } from '../support/engines.ts';
import { subscribe } from '../support/hooks.ts';
import { startReceiver } from '../support/receiver.ts';
import { ADMIN_KEY, type Loose, makeWorld } from '../support/world.ts';

const FILE = 'docs/images/trace.png';
const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';

/** Purchases before the one that is drawn. */
const WARMED = 8;

interface Span {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
}

interface Row {
  readonly span: Span;
  readonly depth: number;
}

test('draws the trace of a purchase, from the agent’s requests to the webhook', async () => {
  const [engine] = everyEngine();
  assert.ok(engine);
  const [collector, owner, browser] = await Promise.all([startReceiver(), startReceiver(), openChromium()]);
  const world = await makeWorld(engine, {
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
    GATES: '1',
  });
  const ask = async (path: string, body: unknown) => {
    const traceparent = `00-${TRACE}-00f067aa0ba902b7-01`;
    return (await world.rest('POST', path, body, { Authorization: `Bearer ${ADMIN_KEY}`, traceparent })).body as Loose;
  };
  const buy = async () => {
    const { intentVc } = await ask('/ap2/intents', world.intentBody(30));
    const { approvalToken } = await ask('/ap2/carts/validate', { intentVc, cartVc: world.cart(30) });
    return ask('/ap2/payments/mandate', { approvalToken });
  };
  try {
    await subscribe(world, `${owner.url}/paid`, ['payment.authorized']);
    // The first one finds nothing compiled; the picture is of a later one.
    for (let times = 0; times < WARMED; times += 1) await buy();
    await owner.wait(WARMED);
    const before = Date.now();
    assert.ok('pmVc' in (await buy()));
    await owner.wait(WARMED + 1);
    await world.close();
    const spans: Span[] = collector.received
      .filter(({ path }) => path === '/v1/traces')
      .flatMap(({ event }) => event.resourceSpans.flatMap(({ scopeSpans }: Loose) => scopeSpans))
      .flatMap(({ spans: some }: Loose) => some)
      .filter((span: Span) => span.traceId === TRACE && Number(span.startTimeUnixNano) / 1e6 >= before - 1);
    const rows = rowsOf(spans);
    assert.ok(rows.some(({ span }) => span.name === 'webhook payment.authorized'));
    const page = await browser.newPage({ viewport: { width: 960, height: 300 }, deviceScaleFactor: 2 });
    await page.setContent(pictureOf(rows));
    writeFileSync(FILE, await page.locator('main').screenshot());
  } finally {
    await Promise.all([collector.close(), owner.close(), browser.close()]);
  }
});

/** Each span below its parent, in the order of time. */
function rowsOf(spans: readonly Span[]): Row[] {
  const known = new Set(spans.map(({ spanId }) => spanId));
  const sorted = [...spans].sort((one, other) => Number(one.startTimeUnixNano) - Number(other.startTimeUnixNano));
  const below = (parent: string | undefined, depth: number): Row[] =>
    sorted
      .filter(({ parentSpanId: of = '' }) => (parent === undefined ? !known.has(of) : of === parent))
      .flatMap((span) => [{ span, depth }, ...below(span.spanId, depth + 1)]);
  return below(undefined, 0);
}

const COLOURS: Readonly<Record<string, string>> = {
  POST: '#1f6f54',
  core: '#4d9a7f',
  store: '#8a8d84',
  rail: '#1a56c4',
  webhook: '#d9a93a',
};

function pictureOf(rows: readonly Row[]): string {
  const times = rows.map(
    ({ span }) => [Number(span.startTimeUnixNano) / 1e6, Number(span.endTimeUnixNano) / 1e6] as const,
  );
  const from = Math.min(...times.map(([start]) => start));
  const length = Math.max(...times.map(([, end]) => end)) - from;
  const lines = rows.map(({ span, depth }, index) => {
    const [start, end] = times[index] as readonly [number, number];
    const left = ((start - from) / length) * 100;
    const width = Math.max(((end - start) / length) * 100, 0.3);
    const colour = COLOURS[span.name.split(' ')[0] ?? ''] ?? '#5c5e57';
    const label = `${(end - start).toFixed(1)} ms`;
    const side =
      left + width > 85 ? `right:${100 - left}%;padding-right:6px` : `left:${left + width}%;padding-left:6px`;
    return (
      `<div class="row"><span class="name" style="padding-left:${depth * 16}px">${span.name}</span><span class="lane">` +
      `<i style="left:${left}%;width:${width}%;background:${colour}"></i><b style="${side}">${label}</b></span></div>`
    );
  });
  const marks = [0, 0.25, 0.5, 0.75, 1].map(
    (part) => `<em style="left:${part * 100}%">${(length * part).toFixed(0)} ms</em>`,
  );
  return `<!doctype html><style>
    body { margin: 0; font: 13px/1.5 system-ui, sans-serif; color: #1c1d1a; background: #fff }
    main { width: 928px; padding: 16px; background: #fff }
    .row, .scale { display: grid; grid-template-columns: 300px 1fr; align-items: center; height: 24px }
    .row:nth-child(odd) { background: #f7f6f2 }
    .name { font-family: ui-monospace, monospace; font-size: 12px; white-space: nowrap }
    .lane { position: relative; height: 24px; margin: 0 40px 0 8px; border-left: 1px solid #e2e0d8 }
    .lane i { position: absolute; top: 7px; height: 10px; border-radius: 3px }
    .lane b { position: absolute; top: 3px; font-weight: 400; font-size: 11px; color: #5c5e57; white-space: nowrap }
    .scale em { position: absolute; font-style: normal; font-size: 11px; color: #5c5e57; transform: translateX(-50%); white-space: nowrap }
  </style><main><div class="scale"><span></span><span class="lane">${marks.join('')}</span></div>${lines.join('')}</main>`;
}
