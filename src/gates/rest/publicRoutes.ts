/** Public routes: liveness, readiness, status lists and metrics. */

import type { Context } from 'koa';
import { z } from 'zod';
import { isForwarded, isLoopbackAddress, isLoopbackHost } from '../../access/clientAddress.ts';
import type { CallResult } from '../../core/core.ts';
import { readCredential, shownCredential } from '../shell/callers.ts';
import type { Gate } from '../shell/gate.ts';
import type { OpenRoute } from './openRoute.ts';
import { answerJson } from './respond.ts';
import { statusRoute } from './statusRoutes.ts';

/** A moment for the examples of the documents. */
const AT = '2026-07-01T09:00:00.000Z';

const Health = z.object({
  status: z.enum(['ok', 'ready', 'unavailable']),
  timestamp: z.string(),
  warnings: z.array(z.string()).optional().describe('What the owner should look at, though requests are served.'),
});

const REFUSED =
  'The evidence does not extend the checkpoint that this node signed last, so no checkpoint is signed; see countersign doctor.';

export function publicRoutes(gate: Gate): readonly OpenRoute[] {
  return [
    {
      method: 'GET',
      path: '/healthz',
      name: 'health',
      summary: 'Reports that the process is alive.',
      answers: {
        200: { description: 'The process is alive.', schema: Health, example: { status: 'ok', timestamp: AT } },
      },
      async answer(context) {
        answerJson(context, { status: 'ok', timestamp: await gate.core.call('tellTime') });
      },
    },
    {
      method: 'GET',
      path: '/readyz',
      name: 'readiness',
      summary: 'Reports whether the node is ready for requests.',
      answers: {
        200: { description: 'The node is ready.', schema: Health, example: { status: 'ready', timestamp: AT } },
        503: {
          description: 'Its store cannot be read, or it is stopping.',
          schema: Health,
          example: { status: 'unavailable', timestamp: AT },
        },
      },
      async answer(context) {
        const health = await gate.core.call('examineHealth');
        const ready = gate.isServing() && health.canRead;
        context.status = ready ? 200 : 503;
        const { timestamp } = health;
        answerJson(context, { status: ready ? 'ready' : 'unavailable', timestamp, ...warningsOf(health) });
      },
    },
    statusRoute(gate),
    metricsRoute(gate),
  ];
}

function metricsRoute(gate: Gate): OpenRoute {
  return {
    method: 'GET',
    path: '/metrics',
    name: 'metrics',
    summary: 'Shows the node’s metrics in the Prometheus format.',
    localOrAdmin: true,
    vouched: true,
    answers: { 200: { description: 'The metrics.', media: 'text/plain' } },
    errors: [401, 403, 429, 500],
    answer: exposeMetrics(gate),
  };
}

function warningsOf(health: CallResult<'examineHealth'>): { readonly warnings?: readonly string[] } {
  const { damage, checkpointsRefused } = health;
  const warnings = [
    ...(checkpointsRefused ? [REFUSED] : []),
    ...health.warnings,
    ...(damage === undefined
      ? []
      : [
          `The database (countersign.db) is damaged: ${damage}. Stop the node, then: countersign restore FILE, with the newest backup.`,
        ]),
  ];
  return warnings.length === 0 ? {} : { warnings };
}

/** For a scraper on this machine, or for a caller with an admin credential. */
function exposeMetrics(gate: Gate): (context: Context) => Promise<void> {
  return async (context) => {
    const credential = isLocal(context)
      ? undefined
      : readCredential(gate, context, shownCredential(context), Buffer.alloc(0));
    const { text, contentType } = await gate.core.call('exposeMetrics', credential);
    context.type = contentType;
    context.body = text;
  };
}

/**
 * A request that a local proxy forwards is not local, and neither is one of a page that had a name of its own resolved
 * to this machine: its browser sends that name.
 */
function isLocal({ req }: Context): boolean {
  return !isForwarded(req.headers) && isLoopbackAddress(req.socket.remoteAddress) && isLoopbackHost(req.headers.host);
}
