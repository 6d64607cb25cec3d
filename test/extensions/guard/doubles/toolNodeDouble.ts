/** Answers as a node does that keeps reports, with what a person accepted. */
import type { CountersignError } from '../../../../client/error.ts';
import type { Guard } from '../../../../client/operations.ts';
import type { GuardReport, ToolNode } from '../../../../src/extensions/guard/reservationNode.ts';

export class ToolNodeDouble implements ToolNode {
  readonly reports: GuardReport[] = [];
  readonly accepted = new Set<string>();
  fault: CountersignError | undefined;
  /** How often it was asked for what was accepted. */
  asked = 0;

  async tell(report: GuardReport): Promise<Guard> {
    if (this.fault !== undefined) throw this.fault;
    this.reports.push(report);
    return this.#answer();
  }

  async show(): Promise<Guard> {
    this.asked += 1;
    return this.#answer();
  }

  #answer(): Guard {
    if (this.fault !== undefined) throw this.fault;
    const { name, agentDid, servers } = this.reports.at(-1) as GuardReport;
    const shown = servers.map((server) => ({
      name: server.name,
      tools: server.tools.map((tool) => ({
        ...tool,
        waits: tool.change !== undefined,
        ...(this.accepted.has(tool.hash) ? { acceptance: { at: '2026-01-01T00:00:00Z' } } : {}),
      })),
    }));
    const times = { createdAt: '2026-01-01T00:00:00Z', toldAt: '2026-01-01T00:00:00Z' };
    return { id: 'grd_1', name, agentDid, waiting: 0, ...times, servers: shown };
  }
}
