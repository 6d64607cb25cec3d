/** The schema of an error over HTTP, apart from the table of errors, which is read where no schema is needed. */
import { z } from 'zod';

/** The body of every error over HTTP. */
export const ErrorBody = z.object({
  error: z.object({
    code: z.string(),
    message: z.string(),
    requestId: z.string(),
    docs: z.string().describe('Where the code is explained, with its remedy.'),
    /** The members at fault, where that can be said. */
    details: z.array(z.object({ path: z.string(), message: z.string() })).optional(),
  }),
});
export type ErrorBody = z.infer<typeof ErrorBody>;
