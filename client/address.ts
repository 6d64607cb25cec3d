/** The node's address, as a caller writes it. */
import { CountersignError } from './error.ts';

/**
 * @returns the address without a slash at its end, which paths are put behind
 * @throws CountersignError BAD_REQUEST for what is not the address of a node
 */
export function addressOf(baseUrl: string): string {
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    throw wrong(`"${baseUrl}" is not a node’s address; one looks like http://localhost:8402.`);
  }
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '') {
    throw wrong('A node’s address has no user, password, query or fragment; one looks like http://localhost:8402.');
  }
  return url.origin + url.pathname.replace(/\/+$/, '');
}

function wrong(message: string): CountersignError {
  return new CountersignError('BAD_REQUEST', message, { status: 0 });
}
