/** Writes the JSON schemas of docs/reference/extensions/approval.md. */
import { approvalSchemas } from '../../protocol/approvals/approvalSchemas.ts';

/** The text of approval-schema.json as it has to be now. */
export function approvalSchemasText(): string {
  return `${JSON.stringify(approvalSchemas(), null, 2)}\n`;
}
