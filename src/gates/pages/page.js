/** What both pages do: find their own address, ask the node, show sections and the outcome, and count down. */

/** The node's public address, which its passkeys are made for. */
const home = new URL(document.documentElement.dataset.home);

/** False where no passkey of this node works, since the page was opened under another name. */
export const isAtHome = location.origin === home.origin;

/** This page under the node's public address, with whatever its link carries. */
export function homeUrl() {
  const [path = ''] = /\/(approve|enroll)\/.*$/.exec(location.pathname) ?? [];
  return home.href.replace(/\/$/, '') + path + location.search + location.hash;
}

/** Passkeys need a name: a page at 127.0.0.1 goes to localhost, which is the same machine. @returns true when it goes */
export function leadHome() {
  const isLoopback = /^(127(\.\d+){3}|\[::1\])$/.test(location.hostname);
  const isNamed = home.hostname === 'localhost' || home.hostname.endsWith('.localhost');
  if (isAtHome || !isLoopback || !isNamed) return false;
  location.replace(homeUrl());
  return true;
}

/** The error that the node answered; its message is a sentence for a person. */
export class NodeError extends Error {
  constructor(status, message) {
    super(message);
    this.status = status;
  }
}

/** Sends a request to the node. @param path after the page's own address @throws NodeError */
export async function ask(method, path, body, signal) {
  const response = await fetch(location.pathname + path, {
    method,
    cache: 'no-store',
    signal,
    ...(body === undefined ? {} : { headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) }),
  });
  const answer = await response.json().catch(() => ({}));
  if (response.ok) return answer;
  throw new NodeError(response.status, answer.error?.message ?? 'The node does not answer as it should. Try again.');
}

export function element(id) {
  return document.getElementById(id);
}

/** Shows some of a page's sections and hides the others. */
export function show(shown, sections) {
  for (const section of sections) element(section).hidden = !shown.includes(section);
}

/** @param kind how the outcome looks: yes, no or over */
export function showOutcome(kind, title, message) {
  element('outcome').dataset.kind = kind;
  element('outcome-title').textContent = title;
  element('outcome-text').textContent = message;
  element('outcome').hidden = false;
  document.title = title;
  element('outcome-title').focus();
}

export function showTime(time) {
  return new Date(time).toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit' });
}

/** Writes into an element until when something is open, and calls `onEnd` then. @returns a function that stops it */
export function countDown(target, expiresAt, onEnd) {
  const end = Date.parse(expiresAt);
  const time = showTime(end);
  target.title = new Date(end).toLocaleString('en-GB', { dateStyle: 'medium', timeStyle: 'long' });
  const tick = () => {
    const left = Math.ceil((end - Date.now()) / 1000);
    const isCounted = left > 0 && left < 3600;
    const shown = isCounted ? ` (${Math.floor(left / 60)}:${String(left % 60).padStart(2, '0')} left)` : '';
    target.textContent = `Open until ${time}${shown}`;
    if (left > 0) return;
    clearInterval(timer);
    onEnd();
  };
  const timer = setInterval(tick, 1000);
  tick();
  return () => clearInterval(timer);
}
