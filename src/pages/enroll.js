/** The enrollment page: makes one passkey for one agent, by a link that works once. */
import { ask, countDown, element, NodeError, show, showOutcome } from './page.js';
import { canUsePasskeys, createPasskey, explain, NO_PASSKEYS } from './passkey.js';

const SECTIONS = ['loading', 'enroll'];
let stopCountDown = () => {};
/** What the passkey can approve, in words. */
let scope = '';
const GONE = 'It was used before, or it has expired. Ask for a new one.';

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
  element('buyer').hidden = link.principal !== undefined;
  element('payer').hidden = link.principal === undefined;
  element('device').value = link.deviceName ?? nameOfDevice();
  show(['enroll'], SECTIONS);
  const expire = () => {
    show([], SECTIONS);
    showOutcome('over', 'This link does not work any more', GONE);
  };
  stopCountDown = countDown(element('until'), link.expiresAt, expire);
  if (canUsePasskeys()) return;
  element('create').disabled = true;
  element('trouble').textContent = NO_PASSKEYS;
}

async function enroll() {
  element('create').disabled = true;
  element('trouble').textContent = '';
  element('status').textContent = 'Confirm with your device.';
  try {
    const { publicKey } = await ask('POST', '/begin', { deviceName: element('device').value });
    const passkey = await ask('POST', '/complete', { credential: await createPasskey(publicKey) });
    stopCountDown();
    show([], SECTIONS);
    showOutcome('yes', 'Ready', `“${passkey.deviceName}” can approve ${scope}. You can close this page.`);
  } catch (error) {
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

try {
  render(await ask('GET', '/link'));
} catch (error) {
  show([], SECTIONS);
  const gone = error instanceof NodeError && error.status === 404;
  showOutcome('over', gone ? 'This link does not work any more' : 'This did not load', gone ? GONE : explain(error));
}
