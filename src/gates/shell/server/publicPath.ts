/** The path of the public address: a proxy may take it off a request, or leave it; the node's own paths are behind it. */
import type { IncomingMessage } from 'node:http';

/** Where the node's own paths begin. Below such a path it cannot be told whether a proxy took it off. */
const OWN = /^\/(ap2|a2a|mcp|admin|approve|enroll|account|pages|docs|\.well-known)(\/|$)/;

/** @returns takes the path of the public address off a request that still has it */
export function publicPath(baseUrl: string): (request: IncomingMessage) => void {
  const prefix = new URL(baseUrl).pathname.replace(/\/+$/, '');
  if (prefix === '' || OWN.test(prefix)) return () => {};
  return (request) => {
    const { url = '/' } = request;
    if (!url.startsWith(prefix)) return;
    const rest = url.slice(prefix.length);
    if (rest === '' || rest.startsWith('?')) request.url = `/${rest}`;
    else if (rest.startsWith('/')) request.url = rest;
  };
}
