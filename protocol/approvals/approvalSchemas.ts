/** The request and the decision as JSON Schema (2020-12), for readers in other languages. */
import { z } from 'zod';
import { ApprovalDecision, TOUCHED } from './approvalDecision.ts';
import { ApprovalRequest } from './approvalRequest.ts';

/** @returns one document with both, by name in its `$defs`; members that they do not name are allowed */
export function approvalSchemas(): object {
  const described = (schema: z.ZodType) => {
    const { $schema: _, ...rest } = z.toJSONSchema(schema, {
      unrepresentable: 'any',
      override: ({ jsonSchema }) => {
        if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
      },
    });
    return rest;
  };
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $defs: {
      ApprovalRequest: described(ApprovalRequest),
      ApprovalDecision: {
        ...described(ApprovalDecision),
        if: { properties: { outcome: { const: 'approved' } } },
        // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
        then: { required: [...TOUCHED] },
      },
    },
  };
}
