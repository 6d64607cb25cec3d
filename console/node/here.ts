/** Where this console is: what the page says of its node, and the address that the node is reached at. */

const {
  home = '',
  environment = '',
  extensions = '',
  did = '',
  version = '',
  pieceWorker = '',
} = document.documentElement.dataset;

/** The node's public address, which its passkeys are made for. */
export const HOME = new URL(home);
export const NODE_DID = did;
export const NODE_VERSION = version;
/** Checks evidence beside the page. */
export const PIECE_WORKER = pieceWorker;
/** Keeps the page itself in the browser. */
export const SHELL_WORKER = 'sw.js';
export const OWN_SCRIPTS: readonly string[] = [PIECE_WORKER, SHELL_WORKER];
export const IS_SANDBOX = environment === 'sandbox';

const EXTENSIONS = extensions.split(' ');

/** @param extension by its name in the setting EXTENSIONS */
export function runsWith(extension: string): boolean {
  return EXTENSIONS.includes(extension);
}

/** Its stories are made of what only a sandbox has. */
export const HAS_PLAYGROUND = IS_SANDBOX && runsWith('playground');

/** The node's address as this page was opened, without a slash at its end. */
export const BASE_URL = new URL('..', location.href.split('#')[0]).href.replace(/\/$/, '');

/** False where no passkey of this node works, since the page was opened under another name. */
export const IS_AT_HOME = location.origin === HOME.origin;

/** This page under the node's public address. */
export function homeUrl(): string {
  return `${HOME.href.replace(/\/$/, '')}/console/${location.hash}`;
}

/** Passkeys need a name: a page at 127.0.0.1 goes to localhost, which is the same machine. @returns true when it goes */
export function leadHome(): boolean {
  const isLoopback = /^(127(\.\d+){3}|\[::1\])$/.test(location.hostname);
  const isNamed = HOME.hostname === 'localhost' || HOME.hostname.endsWith('.localhost');
  if (IS_AT_HOME || !isLoopback || !isNamed) return false;
  location.replace(homeUrl());
  return true;
}
