/** What both pages do: ask the node, show sections and the outcome, and count down. */

/** The error that the node answered; its message is a sentence for a person. */
export class NodeError extends Error {
  constructor(status, message) {
    super(message);
    this.status = status;
  }
}

/** Sends a request to the node. @param path after the page's own address @throws NodeError */
export async function ask(method, path, body) {
  const response = await fetch(location.pathname + path, {
    method,
    cache: 'no-store',
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

/** Writes into an element until when something is open, and calls `onEnd` then. @returns a function that stops it */
export function countDown(target, expiresAt, onEnd) {
  const end = Date.parse(expiresAt);
  const time = new Date(end).toLocaleTimeString([], { hour: '2-digit', minute: '2-digit' });
  const tick = () => {
    const left = Math.ceil((end - Date.now()) / 1000);
    if (left <= 0) {
      clearInterval(timer);
      onEnd();
      return;
    }
    const shown = left >= 3600 ? '' : ` (${Math.floor(left / 60)}:${String(left % 60).padStart(2, '0')} left)`;
    target.textContent = `Open until ${time}${shown}`;
  };
  const timer = setInterval(tick, 1000);
  tick();
  return () => clearInterval(timer);
}
