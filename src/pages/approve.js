/** The approval page: shows one purchase, and carries one decision with a touch of a passkey. */
import {
  ask,
  canUsePasskeys,
  conclude,
  countDown,
  explain,
  NO_PASSKEYS,
  Refused,
  show,
  touchPasskey,
} from './passkey.js';

const at = (id) => document.getElementById(id);
const SECTIONS = ['loading', 'purchase', 'decide'];
let stopClock = () => {};

at('approve').addEventListener('click', () => decide('approve'));
at('deny').addEventListener('click', () => decide('deny'));

function render(purchase) {
  stopClock();
  // Whatever strangers wrote goes in as text, never as markup.
  at('agent').textContent = purchase.agent;
  at('total').textContent = purchase.total;
  at('merchant').textContent = purchase.merchant;
  at('encoded').hidden = !purchase.merchantEncoded;
  at('causes').replaceChildren(...purchase.causes.map((cause) => element('li', '', cause)));
  at('items').replaceChildren(...purchase.items.map(itemOf));
  const pending = purchase.status === 'pending';
  show(['purchase', ...(pending ? ['decide'] : [])], ...SECTIONS);
  if (!pending) {
    settle(purchase);
    return;
  }
  stopClock = countDown(at('until'), purchase.expiresAt, () => render({ ...purchase, status: 'expired' }));
  const able = purchase.canApprove && canUsePasskeys();
  at('approve').disabled = !able;
  at('deny').disabled = !able;
  if (!purchase.canApprove) {
    at('trouble').textContent =
      'No passkey is enrolled for this agent yet. Ask whoever runs this node for an enrollment link, then open this page again.';
  } else if (!able) {
    at('trouble').textContent = NO_PASSKEYS;
  }
}

const OUTCOMES = {
  approved: [
    'yes',
    'Approved',
    (purchase) => `${purchase.agent} may pay ${purchase.total} to ${purchase.merchant}. You can close this page.`,
  ],
  denied: ['no', 'Denied', () => 'Nothing will be bought. You can close this page.'],
  expired: ['over', 'Too late', () => 'This request is over, and nothing was bought. The agent can ask again.'],
};

function settle(purchase) {
  const [kind, title, message] = OUTCOMES[purchase.status];
  conclude(kind, title, message(purchase));
}

async function decide(decision) {
  const buttons = [at('approve'), at('deny')];
  for (const button of buttons) button.disabled = true;
  at('trouble').textContent = '';
  at('status').textContent = 'Confirm with your passkey.';
  try {
    const { challengeId, publicKey } = await ask('POST', '/begin', { decision });
    const credential = await touchPasskey(publicKey);
    render(await ask('POST', '/complete', { challengeId, credential }));
  } catch (error) {
    for (const button of buttons) button.disabled = false;
    at('trouble').textContent = explain(error);
    // Decided elsewhere, or too late: show how it stands.
    if (error instanceof Refused && error.status === 409) {
      const purchase = await ask('GET', '/purchase').catch(() => undefined);
      if (purchase !== undefined && purchase.status !== 'pending') render(purchase);
    }
  } finally {
    at('status').textContent = '';
  }
}

function itemOf({ name, quantity, amount }) {
  const item = document.createElement('li');
  item.append(element('bdi', '', quantity === 1 ? name : `${quantity} × ${name}`), element('span', 'amount', amount));
  return item;
}

function element(kind, className, content) {
  const made = document.createElement(kind);
  if (className !== '') made.className = className;
  made.textContent = content;
  return made;
}

try {
  render(await ask('GET', '/purchase'));
} catch (error) {
  show([], ...SECTIONS);
  const gone = error instanceof Refused && error.status === 404;
  if (gone) conclude('over', 'Nothing to approve here', 'The link is not complete, or the request is gone.');
  else conclude('over', 'This did not load', explain(error));
}
