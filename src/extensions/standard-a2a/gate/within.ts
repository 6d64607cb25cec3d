/** Faults of a part of a message, told with the place of that part. */
import { Fault } from '../../../../protocol/wire/fault.ts';

/** @param path of the part @throws what `read` throws, with the part's path before each of its paths */
export function within<T>(path: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    const details = error.details?.map((detail) => ({
      path: detail.path === '' ? path : `${path}.${detail.path}`,
      message: detail.message,
    }));
    throw new Fault(error.code, error.message, details);
  }
}
