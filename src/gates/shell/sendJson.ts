/** Writes an answer of a gate that speaks HTTP itself: JSON, which no cache keeps. */
import type { ServerResponse } from 'node:http';

/** @param text JSON @param headers those of this answer alone */
export function sendJson(
  response: ServerResponse,
  status: number,
  text: string,
  headers: Readonly<Record<string, string>> = {},
): void {
  response.writeHead(status, {
    ...headers,
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(text),
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
  });
  response.end(text);
}
