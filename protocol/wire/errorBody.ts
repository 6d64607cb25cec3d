/** The schemas of an error over HTTP, apart from the table of errors, which is read where no schema is needed. */
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

/** The same as a problem (RFC 9457), for a caller that asks for `application/problem+json`. */
export const Problem = z.object({
  type: z.string().describe('Where the code is explained, with its remedy.'),
  title: z.string().describe('The code in words.'),
  status: z.int(),
  detail: z.string(),
  code: z.string(),
  requestId: z.string(),
  /** The members at fault, where that can be said. */
  errors: z.array(z.object({ path: z.string(), message: z.string() })).optional(),
});
export type Problem = z.infer<typeof Problem>;
