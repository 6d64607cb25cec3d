/** The one shape of an error over HTTP. */
import { z } from 'zod';

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
