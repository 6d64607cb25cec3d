/** Objects whose members are another schema's business, or not checked. */
import { z } from 'zod';

/**
 * Any JSON object, and as it came: the library's own record is described the same, and copies the object member by member.
 * The members that a copy would leave out, `__proto__`, are refused where JSON is parsed.
 */
export function anyObject() {
  const schema = z.record(z.string(), z.unknown());
  const { parse } = schema._zod;
  const check: typeof parse = (payload, context) => (isPlain(payload.value) ? payload : parse(payload, context));
  schema._zod.parse = check;
  schema._zod.run = check;
  return schema;
}

function isPlain(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}
