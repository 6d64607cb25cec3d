/**
 * The parts that the approval extension adds to a task: what a person is asked, and how it ended. A caller that has not asked for
 * the extension gets none of them, and lists have none.
 */
import type { ApprovalDecision } from '../approvals/approvalDecision.ts';
import type { ApprovalRequest } from '../approvals/approvalRequest.ts';
import { compact } from '../wire/compact.ts';
import { DID_PROOF } from './normalForm.ts';
import type { Artifact, Part, Task, TaskStatus } from './task.ts';

export const APPROVALS = 'urn:countersign:a2a:approval:v1';

export function requestPart(request: ApprovalRequest): Part {
  return { data: { 'approval.request': request }, metadata: { [APPROVALS]: { type: 'approval.request' } } };
}

/** One for each person who decided. */
export function decisionParts(decisions: readonly ApprovalDecision[]): Part[] {
  return decisions.map((decision) => ({
    data: { 'approval.decision': decision },
    metadata: { [APPROVALS]: { type: 'approval.decision' } },
  }));
}

/** The member that says of a message or artifact that it has such parts. */
export function extensionsOfParts(parts: readonly Part[]): { readonly extensions?: readonly string[] } {
  return parts.some(isAdded) ? { extensions: [APPROVALS] } : {};
}

function isAdded({ metadata }: Part): boolean {
  return metadata?.[APPROVALS] !== undefined;
}

/** As lists have it. */
export function listedStatus({ message, ...status }: TaskStatus): TaskStatus {
  const shown = message && withoutAdded(message);
  return compact({ ...status, message: shown === undefined || shown.parts.length === 0 ? undefined : shown });
}

/** As lists have it. */
export function listedWhole({ status, artifacts, history, ...task }: Task): Task {
  return compact({
    ...task,
    status: listedStatus(status),
    artifacts: artifacts?.map(listedArtifact),
    // What a caller said is the caller's.
    history: history?.map((message) =>
      'role' in message && message.role === 'ROLE_AGENT' ? withoutAdded(message) : message,
    ),
  });
}

/** What was signed is the whole artifact: without a part of it the proof would be wrong. */
function listedArtifact(artifact: Artifact): Artifact {
  const shown = withoutAdded(artifact);
  if (shown === artifact || shown.metadata === undefined) return shown;
  const { [DID_PROOF]: _, ...metadata } = shown.metadata;
  const { metadata: __, extensions, ...rest } = shown;
  const others = extensions?.filter((uri) => uri !== DID_PROOF) ?? [];
  return {
    ...rest,
    ...(others.length > 0 && { extensions: others }),
    ...(Object.keys(metadata).length > 0 && { metadata }),
  };
}

function withoutAdded<T extends object>(said: T): T {
  const { parts, extensions, ...rest } = said as T & { parts?: readonly Part[]; extensions?: readonly string[] };
  if (parts === undefined || !parts.some(isAdded)) return said;
  const others = extensions?.filter((uri) => uri !== APPROVALS) ?? [];
  return {
    ...rest,
    parts: parts.filter((part) => !isAdded(part)),
    ...(others.length > 0 && { extensions: others }),
  } as unknown as T;
}
