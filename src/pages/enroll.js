/** The enrollment page: makes one passkey for one agent, by a link that works once. */
import {
  ask,
  canUsePasskeys,
  conclude,
  countDown,
  createPasskey,
  explain,
  NO_PASSKEYS,
  Refused,
  show,
} from './passkey.js';

const at = (id) => document.getElementById(id);
const SECTIONS = ['loading', 'enroll'];
let stopClock = () => {};
const GONE = 'It was used before, or its time is over. Ask for a new one.';

at('enroll').addEventListener('submit', (event) => {
  event.preventDefault();
  void enroll();
});

function render(link) {
  at('agent').textContent = link.agent;
  at('device').value = link.deviceName ?? nameOfDevice();
  show(['enroll'], ...SECTIONS);
  const over = () => {
    show([], ...SECTIONS);
    conclude('over', 'This link does not work any more', GONE);
  };
  stopClock = countDown(at('until'), link.expiresAt, over);
  if (canUsePasskeys()) return;
  at('create').disabled = true;
  at('trouble').textContent = NO_PASSKEYS;
}

async function enroll() {
  at('create').disabled = true;
  at('trouble').textContent = '';
  at('status').textContent = 'Confirm with your device.';
  try {
    const { publicKey } = await ask('POST', '/begin', { deviceName: at('device').value });
    const passkey = await ask('POST', '/complete', { credential: await createPasskey(publicKey) });
    stopClock();
    show([], ...SECTIONS);
    const agent = at('agent').textContent;
    conclude(
      'yes',
      'Ready',
      `“${passkey.deviceName}” can approve what ${agent} wants to buy. You can close this page.`,
    );
  } catch (error) {
    at('create').disabled = false;
    at('trouble').textContent = explain(error);
  } finally {
    at('status').textContent = '';
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
  show([], ...SECTIONS);
  const gone = error instanceof Refused && error.status === 404;
  conclude('over', gone ? 'This link does not work any more' : 'This did not load', gone ? GONE : explain(error));
}
