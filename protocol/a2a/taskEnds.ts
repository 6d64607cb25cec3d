/** The states in which nothing more will happen to a task (A2A 1.0 section 4.1.3). It needs no other file, so that a client may read it. */
export const TASK_ENDS = [
  'TASK_STATE_COMPLETED',
  'TASK_STATE_FAILED',
  'TASK_STATE_CANCELED',
  'TASK_STATE_REJECTED',
] as const;
