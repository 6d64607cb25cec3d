/**
 * The yardstick: a server of the official A2A SDK as its documentation builds one. `echo` answers each message
 * with a message and keeps nothing; `tasks` stores a task in SQLite, created and completed, with SQLite as it comes;
 * `tuned` does so on a write-ahead log, which the SDK leaves to its user.
 */
import { execFileSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { A2A_PROTOCOL_VERSION, type AgentCard, Role, TaskState, type TaskStatus } from '@a2a-js/sdk';
import {
  AgentEvent,
  type AgentExecutor,
  DefaultRequestHandler,
  type ExecutionEventBus,
  InMemoryTaskStore,
  type RequestContext,
} from '@a2a-js/sdk/server';
import { DatabaseTaskStore } from '@a2a-js/sdk/server/database';
import { jsonRpcHandler, UserBuilder } from '@a2a-js/sdk/server/express';
import Database from 'better-sqlite3';
import express from 'express';
import { Kysely, SqliteDialect } from 'kysely';

const { BENCH_MODE: mode, BENCH_DATABASE: file = '', PORT: port } = process.env;

const card: AgentCard = {
  name: 'Echo',
  description: 'Answers what it is sent.',
  supportedInterfaces: [
    {
      url: `http://127.0.0.1:${port}/`,
      protocolBinding: 'JSONRPC',
      tenant: '',
      protocolVersion: A2A_PROTOCOL_VERSION,
    },
  ],
  provider: { organization: 'Bench', url: 'https://bench.example' },
  version: '1.0.0',
  capabilities: { streaming: false, pushNotifications: false, extensions: [], extendedAgentCard: false },
  securitySchemes: {},
  securityRequirements: [],
  defaultInputModes: ['text'],
  defaultOutputModes: ['text'],
  skills: [],
  signatures: [],
};

const statusOf = (state: TaskState): TaskStatus => ({ state, message: undefined, timestamp: new Date().toISOString() });

const executors: Record<string, AgentExecutor['execute']> = {
  async echo({ userMessage, contextId }: RequestContext, bus) {
    bus.publish(
      AgentEvent.message({ ...userMessage, messageId: crypto.randomUUID(), contextId, role: Role.ROLE_AGENT }),
    );
  },
  tasks: storeTask,
  tuned: storeTask,
};

async function storeTask({ userMessage, taskId, contextId }: RequestContext, bus: ExecutionEventBus): Promise<void> {
  const status = statusOf(TaskState.TASK_STATE_SUBMITTED);
  const task = { id: taskId, contextId, status, artifacts: [], history: [userMessage], metadata: undefined };
  bus.publish(AgentEvent.task(task));
  const completed = statusOf(TaskState.TASK_STATE_COMPLETED);
  bus.publish(AgentEvent.statusUpdate({ taskId, contextId, status: completed, metadata: undefined }));
}

/** Either way each commit is synced to the disk, as the node's are. */
function openTaskStore(): DatabaseTaskStore {
  const command = createRequire(import.meta.url)
    .resolve('@a2a-js/sdk')
    .replace(/index\.c?js$/, 'cli/a2a_db.js');
  execFileSync(process.execPath, [command, 'upgrade', '--url', `sqlite:${file}`]);
  const database = new Database(file);
  if (mode === 'tuned') database.pragma('journal_mode = WAL');
  database.pragma('synchronous = FULL');
  return new DatabaseTaskStore(new Kysely({ dialect: new SqliteDialect({ database }) }));
}

const execute = executors[mode ?? ''];
if (execute === undefined) throw new Error(`BENCH_MODE must be one of ${Object.keys(executors).join(', ')}.`);
const store = mode === 'echo' ? new InMemoryTaskStore() : openTaskStore();
const requestHandler = new DefaultRequestHandler(card, store, { execute, cancelTask: async () => {} });
const app = express();
app.get('/readyz', (_request, response) => void response.send('ready'));
app.use(jsonRpcHandler({ requestHandler, userBuilder: UserBuilder.noAuthentication }));
app.listen(Number(port), '127.0.0.1');
