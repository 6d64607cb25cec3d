/** The page that a login in a browser ends on: who has logged in, what they may do, and the way out. */
import { element, show, showOutcome } from './page.js';

const SECTIONS = ['loading', 'account'];

const MAY = {
  OWNER: 'You may do everything here, and give others their roles.',
  ADMIN: 'You may do everything here but give roles.',
  MEMBER: 'You may look at everything, and buy.',
  VIEWER: 'You may look at everything.',
  PENDING: 'You may do nothing here yet: ask an owner of this node to give you a role, then open this page again.',
};

/** Addresses are relative, since the node may be below a path. The token stays in this page. */
async function ask(method, path, token) {
  const headers = token === undefined ? {} : { Authorization: `Bearer ${token}` };
  const response = await fetch(path, { method, headers, cache: 'no-store' });
  const answer = await response.json().catch(() => ({}));
  if (response.ok) return answer;
  throw Object.assign(new Error(answer.error?.message ?? 'The node does not answer as it should. Try again.'), {
    status: response.status,
  });
}

function end(kind, title, message) {
  show([], SECTIONS);
  showOutcome(kind, title, message);
}

async function logOut(token) {
  element('logout').disabled = true;
  try {
    await ask('POST', 'ap2/auth/logout', token);
    end('yes', 'You are logged out', 'You can close this page.');
  } catch (error) {
    element('logout').disabled = false;
    element('trouble').textContent = error.message;
  }
}

try {
  const { accessToken } = await ask('POST', 'ap2/auth/refresh');
  const { email, role } = await ask('GET', 'ap2/auth/me', accessToken);
  element('email').textContent = email ?? 'somebody without an address';
  element('role').textContent = role;
  element('may').textContent = MAY[role] ?? '';
  element('logout').addEventListener('click', () => void logOut(accessToken));
  show(['account'], SECTIONS);
} catch (error) {
  if (error.status === 401) end('over', 'You are not logged in', 'There is no login in this browser, or it has ended.');
  else end('over', 'This did not load', error.message);
}
