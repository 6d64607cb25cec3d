/** The condition of a change: that what is changed is still what its caller has seen. */
import { z } from 'zod';

/** The header If-Match (RFC 9110 section 13.1.1), or a member of the same name where no header can be sent. */
export const IfMatch = z
  .string()
  .max(1000)
  .optional()
  .describe(
    'The ETag with which it was read, as the header If-Match has it. Where it is another one by now, nothing is changed.',
  );
