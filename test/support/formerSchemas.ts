/** What A2A 0.3 lets an answer have (specification/json/a2a.json of v0.3.0), and nothing besides: members that it lacks are refused. */
import { z } from 'zod';

const metadata = z.record(z.string(), z.unknown()).optional();
const FormerPart = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('text'), text: z.string(), metadata }),
  z.strictObject({ kind: z.literal('data'), data: z.record(z.string(), z.unknown()), metadata }),
  z.strictObject({
    kind: z.literal('file'),
    file: z.union([
      z.strictObject({ bytes: z.string(), name: z.string().optional(), mimeType: z.string().optional() }),
      z.strictObject({ uri: z.string(), name: z.string().optional(), mimeType: z.string().optional() }),
    ]),
    metadata,
  }),
]);
const Message = z.strictObject({
  kind: z.literal('message'),
  messageId: z.string(),
  role: z.enum(['agent', 'user']),
  parts: z.array(FormerPart),
  contextId: z.string().optional(),
  taskId: z.string().optional(),
  referenceTaskIds: z.array(z.string()).optional(),
  extensions: z.array(z.string()).optional(),
  metadata,
});
const STATES = 'submitted working input-required completed canceled failed rejected auth-required unknown'.split(' ');
const status = z.strictObject({
  state: z.enum(STATES),
  message: Message.optional(),
  timestamp: z.iso.datetime({ offset: true }).optional(),
});
const artifact = z.strictObject({
  artifactId: z.string(),
  parts: z.array(FormerPart),
  name: z.string().optional(),
  description: z.string().optional(),
  extensions: z.array(z.string()).optional(),
  metadata,
});
const Task = z.strictObject({
  kind: z.literal('task'),
  id: z.string(),
  contextId: z.string(),
  status,
  artifacts: z.array(artifact).optional(),
  history: z.array(Message).optional(),
  metadata,
});
const about = { taskId: z.string(), contextId: z.string(), metadata };
const StatusUpdate = z.strictObject({ kind: z.literal('status-update'), ...about, status, final: z.boolean() });
const ArtifactUpdate = z.strictObject({
  kind: z.literal('artifact-update'),
  ...about,
  artifact,
  append: z.boolean().optional(),
  lastChunk: z.boolean().optional(),
});
const Push = z.strictObject({
  taskId: z.string(),
  pushNotificationConfig: z.strictObject({
    url: z.string(),
    id: z.string().optional(),
    token: z.string().optional(),
    authentication: z.strictObject({ schemes: z.array(z.string()), credentials: z.string().optional() }).optional(),
  }),
});

/** By the name of the definition. */
export const FORMER_SCHEMAS = {
  Message,
  Task,
  TaskStatusUpdateEvent: StatusUpdate,
  TaskArtifactUpdateEvent: ArtifactUpdate,
  TaskPushNotificationConfig: Push,
} as const satisfies Record<string, z.ZodType>;
