/**
 * What the gates answer, told as REST says it: one request has one meaning in all of them. The node's own A2A answers by messages,
 * standard A2A by tasks, and MCP by results of tools.
 */

export interface Answer {
  readonly status: number;
  readonly body: unknown;
}

type Members = Readonly<Record<string, unknown>>;

/** A task as it was shown, in either spelling. */
export interface ShownTask {
  readonly id: string;
  /** Such as COMPLETED. */
  readonly state: string;
  /** Data parts of artifacts, by their names; and those of the status message. */
  readonly artifacts: Members;
  readonly said: Members;
}

/** @returns undefined for what is no answer yet: a task that goes on */
export function answerAtGate(call: string, { status, body }: Answer): Answer | undefined {
  if (!isRecord(body) || body['jsonrpc'] !== '2.0') return { status, body };
  const { result, error } = body;
  if (isRecord(error)) return errorOf(status, error);
  if (!isRecord(result)) return { status: 200, body: result };
  const task = taskIn(result);
  if (task !== undefined) return answerOfTask(call, task);
  if (result['resultType'] === 'input_required') return undefined;
  if (Array.isArray(result['content'])) return answerOfTool(result);
  const message = result['message'];
  return { status: 200, body: isRecord(message) ? message['body'] : result };
}

/** The task in the result of a call of standard A2A. */
export function taskIn(result: unknown): ShownTask | undefined {
  const task = isRecord(result) && isRecord(result['task']) ? result['task'] : result;
  if (!isRecord(task) || !isRecord(task['status']) || typeof task['id'] !== 'string') return undefined;
  const { state, message } = task['status'];
  const artifacts = Array.isArray(task['artifacts']) ? task['artifacts'] : [];
  return {
    id: task['id'],
    state: String(state).replace('TASK_STATE_', '').replaceAll('-', '_').toUpperCase(),
    artifacts: Object.assign({}, ...artifacts.map(dataOf)) as Members,
    said: dataOf(message),
  };
}

/** States in which a task has ended. */
export const ENDED: ReadonlySet<string> = new Set(['COMPLETED', 'FAILED', 'CANCELED', 'REJECTED']);

const RESULT_OF: Readonly<Record<string, string>> = {
  issueIntent: 'countersign.intentResult',
  validateCart: 'countersign.cartResult',
  mandatePayment: 'countersign.paymentResult',
};

function answerOfTask(call: string, { id, state, artifacts, said }: ShownTask): Answer | undefined {
  const name = RESULT_OF[call];
  // A message that comes again gets its task as it stands by then.
  if (name === undefined) return { status: 200, body: { taskId: id } };
  const done = artifacts[name] ?? said[name];
  if (done !== undefined) return { status: 200, body: done };
  const refusal = said['countersign.refusal'];
  return refusal !== undefined && ENDED.has(state) ? { status: 200, body: refusal } : undefined;
}

function answerOfTool({ isError, content, structuredContent }: Members): Answer {
  if (isError !== true) return { status: 200, body: structuredContent };
  const [first] = content as readonly Members[];
  const code = /^([A-Z_]+): /.exec(String(first?.['text']))?.[1] ?? 'INTERNAL_ERROR';
  return { status: STATUS_OF_FAULT[code] ?? 400, body: { error: { code, message: first?.['text'] } } };
}

function errorOf(status: number, error: Members): Answer {
  const data = error['data'];
  if (isRecord(data) && data['allowed'] === false) return { status: 200, body: data };
  const known = status >= 400 ? status : STATUS_OF[Number(error['code'])];
  return { status: known ?? 400, body: error };
}

const STATUS_OF: Readonly<Record<number, number>> = {
  [-32603]: 500,
  [-32001]: 401,
  [-32003]: 429,
  [-32004]: 404,
  [-32005]: 409,
  [-32093]: 409,
  [-32094]: 409,
};

const STATUS_OF_FAULT: Readonly<Record<string, number>> = {
  UNAVAILABLE: 503,
  INTERNAL_ERROR: 500,
  CONFLICT: 409,
  NOT_FOUND: 404,
};

function dataOf(holder: unknown): Members {
  const parts = isRecord(holder) && Array.isArray(holder['parts']) ? holder['parts'] : [];
  return Object.assign({}, ...parts.map((part) => (isRecord(part) && isRecord(part['data']) ? part['data'] : {})));
}

function isRecord(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
