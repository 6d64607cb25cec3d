/** What both pages share: requests to the node, and WebAuthn's options and answers between JSON and bytes. */

/** The node said no; its message is a sentence for a person. */
export class Refused extends Error {
  constructor(status, message) {
    super(message);
    this.status = status;
  }
}

/** @param path after the page's own address */
export async function ask(method, path, body) {
  const response = await fetch(location.pathname + path, {
    method,
    cache: 'no-store',
    ...(body === undefined ? {} : { headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) }),
  });
  const answer = await response.json().catch(() => ({}));
  if (response.ok) return answer;
  throw new Refused(response.status, answer.error?.message ?? 'The node does not answer as it should. Try again.');
}

/** @param options PublicKeyCredentialCreationOptionsJSON */
export async function createPasskey(options) {
  const made = await navigator.credentials.create({
    publicKey: {
      ...options,
      challenge: bytes(options.challenge),
      user: { ...options.user, id: bytes(options.user.id) },
      excludeCredentials: options.excludeCredentials.map(described),
    },
  });
  const { clientDataJSON, attestationObject } = made.response;
  return {
    ...named(made),
    response: {
      clientDataJSON: text(clientDataJSON),
      attestationObject: text(attestationObject),
      transports: made.response.getTransports?.() ?? [],
    },
  };
}

/** @param options PublicKeyCredentialRequestOptionsJSON */
export async function touchPasskey(options) {
  const touched = await navigator.credentials.get({
    publicKey: {
      ...options,
      challenge: bytes(options.challenge),
      allowCredentials: options.allowCredentials.map(described),
    },
  });
  const { clientDataJSON, authenticatorData, signature } = touched.response;
  return {
    ...named(touched),
    response: {
      clientDataJSON: text(clientDataJSON),
      authenticatorData: text(authenticatorData),
      signature: text(signature),
    },
  };
}

/** What went wrong, as a sentence. */
export function explain(error) {
  if (error instanceof Refused) return error.message;
  switch (error?.name) {
    case 'NotAllowedError':
      return 'Nothing was confirmed: it was canceled, or took too long. You can try again.';
    case 'InvalidStateError':
      return 'This device has a passkey for this agent already. It can approve purchases as it is.';
    case 'SecurityError':
      return 'The browser allows no passkey at this address. It must be https, under the name the link was made for.';
    case 'TypeError':
      return 'The node cannot be reached. Check the connection and try again.';
    default:
      return `It did not work: ${error?.message ?? 'unknown reason'}`;
  }
}

/** True where the browser can use passkeys here. */
export function canUsePasskeys() {
  return window.isSecureContext && 'credentials' in navigator && 'PublicKeyCredential' in window;
}

export const NO_PASSKEYS =
  'This browser allows no passkeys at this address. Open the link over https, in a current browser.';

/** Shows one of several sections. */
export function show(id, ...sections) {
  for (const section of sections) document.getElementById(section).hidden = !id.includes(section);
}

export function conclude(kind, title, message) {
  const outcome = document.getElementById('outcome');
  outcome.dataset.kind = kind;
  document.getElementById('outcome-title').textContent = title;
  document.getElementById('outcome-text').textContent = message;
  outcome.hidden = false;
  document.title = title;
  document.getElementById('outcome-title').focus();
}

/** Writes into an element the time until which something is open, and calls back when it is over. */
export function countDown(element, expiresAt, over) {
  const end = Date.parse(expiresAt);
  const clock = new Date(end).toLocaleTimeString([], { hour: '2-digit', minute: '2-digit' });
  const tick = () => {
    const left = Math.ceil((end - Date.now()) / 1000);
    if (left <= 0) {
      clearInterval(timer);
      over();
      return;
    }
    const shown = left >= 3600 ? '' : ` (${Math.floor(left / 60)}:${String(left % 60).padStart(2, '0')} left)`;
    element.textContent = `Open until ${clock}${shown}`;
  };
  const timer = setInterval(tick, 1000);
  tick();
  return () => clearInterval(timer);
}

function named(credential) {
  return { id: credential.id, rawId: text(credential.rawId), type: credential.type };
}

function described(descriptor) {
  return { ...descriptor, id: bytes(descriptor.id) };
}

function bytes(base64url) {
  const binary = atob(base64url.replaceAll('-', '+').replaceAll('_', '/'));
  return Uint8Array.from(binary, (character) => character.charCodeAt(0));
}

function text(buffer) {
  const binary = String.fromCharCode(...new Uint8Array(buffer));
  return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
}
