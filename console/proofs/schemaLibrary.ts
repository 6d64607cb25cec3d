/** The library of schemas, of which a module that imports it by name brings only what is used. See interpretSchemas.ts. */
import { config } from 'zod';

export function interpretOnly(): void {
  config({ jitless: true });
}
