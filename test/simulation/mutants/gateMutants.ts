/** Known bugs of standard A2A, MCP and the sockets, which only agents at those gates meet (mutants.ts). */
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the texts are pieces of programs.
import type { Mutant } from './mutants.ts';

export const GATE_MUTANTS: readonly Mutant[] = [
  {
    name: 'one message, two tasks',
    amid: 'tasks',
    breaks: 'A message of standard A2A that comes twice at once is executed twice, each time in a task of its own.',
    file: 'src/usecase/exchange.ts',
    before: '  const stored = message && (yield* recallRequest(deps, message, now));\n',
    after:
      '  const stored = message && call.task === undefined ? yield* recallRequest(deps, message, now) : undefined;\n',
  },
  {
    name: 'a withdrawn task that is paid',
    amid: 'tasks',
    breaks: 'Two that go on with one task at the same time both do, so that one that was withdrawn is paid.',
    file: 'src/extensions/standard-a2a/tasks/concludeTask.ts',
    before: '  if (current?.seq === row.seq && current.step === row.step) return current;\n',
    after: '  if (current !== undefined && current.seq >= row.seq) return current;\n',
  },
  {
    name: 'a withdrawn task’s intent goes on',
    amid: 'tasks',
    breaks: 'The intent of a purchase whose task was withdrawn stays until its time is over.',
    file: 'src/extensions/standard-a2a/tasks/withdrawTask.ts',
    before: "  if (row.kind !== 'purchase') return;\n",
    after: "  if (row.kind !== 'cart') return;\n",
  },
  {
    name: 'a task without an end',
    amid: 'tasks',
    breaks: 'The task of a purchase that got no cart waits for ever.',
    file: 'src/extensions/standard-a2a/tasks/concludeTask.ts',
    before: '  const due = Date.parse(String(result.intentVc.expirationDate));\n',
    after: '  const due = 2 * Date.parse(String(result.intentVc.expirationDate));\n',
  },
  {
    name: 'a tool that does it again',
    amid: 'tools',
    breaks: 'A tool that is called again under its idempotency key does what it did once more.',
    file: 'src/extensions/mcp/gateDesk.ts',
    before: '      const isRepeatable = useCase.idempotent === true && key !== undefined;\n',
    after: '      const isRepeatable = useCase.idempotent === true && key === undefined;\n',
  },
  {
    name: 'a tool that forgets whose money it is',
    amid: 'tools',
    breaks: 'An intent that a model asks for names its agent as the principal, also where another one was named.',
    file: 'src/extensions/mcp/buying.ts',
    before: '        principalDid: input.principalDid ?? agentDid,\n',
    after: '        principalDid: agentDid,\n',
  },
  {
    name: 'a frame forgotten',
    amid: 'sockets',
    breaks: 'A message that comes on a socket while another one is being answered gets no answer.',
    file: 'src/gates/a2a/conversation.ts',
    before: '    else if (inFlight < MAX_IN_FLIGHT) void respond(data);\n    else waiting.push(data);\n',
    after: '    else if (inFlight === 0) void respond(data);\n',
  },
  {
    name: 'a token spent at another gate',
    amid: 'gates',
    breaks: 'The task of a payment whose token was spent elsewhere meanwhile waits for ever.',
    file: 'src/extensions/standard-a2a/tasks/advanceTask.ts',
    before: '    await deps.store.write(tenantId, (now) => endUnlessMoved(deps, task, failed(error.message), now));\n',
    after:
      "    if (error.code !== 'CONFLICT')\n      await deps.store.write(tenantId, (now) => endUnlessMoved(deps, task, failed(error.message), now));\n",
  },
  {
    name: 'a no told as a yes',
    amid: 'tasks',
    breaks: 'The decision of a person who denied a purchase is told to its task as an approval.',
    file: 'src/domain/approvals/approvalDecisions.ts',
    before: "const denied = { id, outcome: 'denied', decidedAt",
    after: "const denied = { id, outcome: 'approved', decidedAt",
  },
  {
    name: 'enrolment for any agent',
    amid: 'tasks',
    breaks: 'The enrolment in a decision names the principal as its agent, so that it serves what other agents buy.',
    file: 'src/domain/approvals/approvalDecisions.ts',
    before: 'const { principal_did: principalDid, agent_did: agentDid } = request;',
    after: 'const { principal_did: principalDid, principal_did: agentDid } = request;',
  },
  {
    name: 'request without its amount',
    amid: 'tasks',
    breaks: 'A task shows the person’s decision with another amount than the passkey signed.',
    file: 'src/domain/approvals/approvalDecisions.ts',
    before: '    binding,\n    random: challenge.random,',
    after: '    binding: { ...binding, amount: 1 },\n    random: challenge.random,',
  },
];
