/** The enrollment page: makes one passkey for one agent, by a link that works once. */
import { ask, countDown, element, homeUrl, isAtHome, leadHome, NodeError, show, showOutcome } from './page.js';
import { canUsePasskeys, createPasskey, explain, NO_PASSKEYS, rememberPasskey } from './passkey.js';

const SECTIONS = ['loading', 'enroll', 'gone'];
let stopCountDown = () => {};
/** What the passkey can approve, and what not, in words. */
let scope = '';
let limits;

element('again').addEventListener('click', () => location.reload());
element('enroll').addEventListener('submit', (event) => {
  event.preventDefault();
  void enroll();
});

function render(link) {
  element('agent').textContent = link.agent ?? '';
  element('principal').textContent = link.principal ?? '';
  scope =
    link.principal === undefined
      ? `what ${link.agent} wants to buy`
      : `what agents want to buy with the money of ${link.principal}`;
  limits = limitsOf(link);
  element('limits').textContent = limits ?? '';
  element('limits').hidden = limits === undefined;
  element('buyer').hidden = link.principal !== undefined;
  element('payer').hidden = link.principal === undefined;
  element('device').value = link.deviceName ?? nameOfDevice();
  show(['enroll'], SECTIONS);
  stopCountDown = countDown(element('until'), link.expiresAt, showGone);
  element('elsewhere').hidden = isAtHome;
  element('home').href = homeUrl();
  element('home').textContent = `at ${new URL(homeUrl()).host}`;
  element('create').disabled = !isAtHome || !canUsePasskeys();
  if (isAtHome && !canUsePasskeys()) element('trouble').textContent = NO_PASSKEYS;
}

/** What the passkey will not approve as things stand; undefined where there is nothing to say. */
function limitsOf({ principal, delegated }) {
  if (principal === undefined) {
    return delegated
      ? 'It does not approve purchases with the money of a registered principal, which only passkeys of that principal do.'
      : undefined;
  }
  return delegated
    ? undefined
    : 'No agent may spend this money yet: an administrator of this node says which ones may.';
}

function showGone() {
  stopCountDown();
  show(['gone'], SECTIONS);
  document.title = element('gone-title').textContent;
  element('gone-title').focus();
}

async function enroll() {
  element('create').disabled = true;
  element('trouble').textContent = '';
  element('status').textContent = 'Confirm with your device.';
  try {
    const { publicKey } = await ask('POST', '/begin', { deviceName: element('device').value });
    const passkey = await ask('POST', '/complete', { credential: await createPasskey(publicKey) });
    rememberPasskey(passkey.credentialId);
    stopCountDown();
    show([], SECTIONS);
    showOutcome(
      'yes',
      'Ready',
      `“${passkey.deviceName}” can approve ${scope}.${limits === undefined ? '' : ` ${limits}`} You can close this page.`,
    );
  } catch (error) {
    if (isGone(error)) return showGone();
    element('create').disabled = false;
    element('trouble').textContent = explain(error);
  } finally {
    element('status').textContent = '';
  }
}

function nameOfDevice() {
  const { userAgent } = navigator;
  const known = [
    [/iPhone/, 'My iPhone'],
    [/iPad/, 'My iPad'],
    [/Android/, 'My phone'],
    [/Macintosh/, 'My Mac'],
    [/Windows/, 'My PC'],
  ].find(([pattern]) => pattern.test(userAgent));
  return known?.[1] ?? 'My computer';
}

function isGone(error) {
  return error instanceof NodeError && error.status === 404;
}

async function start() {
  try {
    render(await ask('GET', '/link'));
  } catch (error) {
    if (isGone(error)) return showGone();
    show([], SECTIONS);
    showOutcome('over', 'This did not load', explain(error));
    element('again').hidden = false;
  }
}

if (!leadHome()) void start();
