/**
 * ProtoJSON readers take a member by its name in JSON and by its name in the protocol buffers (`taskId`, `task_id`). Those of
 * requests are renamed here, and nothing inside the caller's data.
 */
const NAMES: Readonly<Record<string, string>> = {
  message_id: 'messageId',
  context_id: 'contextId',
  task_id: 'taskId',
  reference_task_ids: 'referenceTaskIds',
  media_type: 'mediaType',
  accepted_output_modes: 'acceptedOutputModes',
  task_push_notification_config: 'taskPushNotificationConfig',
  history_length: 'historyLength',
  return_immediately: 'returnImmediately',
  page_size: 'pageSize',
  page_token: 'pageToken',
  status_timestamp_after: 'statusTimestampAfter',
  include_artifacts: 'includeArtifacts',
};
const DATA: ReadonlySet<string> = new Set(['data', 'metadata']);

/** @param value the parameters of a method of A2A 1.0 */
export function byJsonNames(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(byJsonNames);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      Object.hasOwn(NAMES, name) ? NAMES[name] : name,
      DATA.has(name) ? member : byJsonNames(member),
    ]),
  );
}
