/** The approval page: shows one purchase, and sends one decision, confirmed with a passkey. */
import { ask, countDown, element, NodeError, show, showOutcome } from './page.js';
import { canUsePasskeys, confirmWithPasskey, explain, NO_PASSKEYS } from './passkey.js';

const SECTIONS = ['loading', 'purchase', 'decide'];
let stopCountDown = () => {};

element('approve').addEventListener('click', () => decide('approve'));
element('deny').addEventListener('click', () => decide('deny'));

function render(purchase) {
  stopCountDown();
  // Names come from merchants and agents: they are text, never markup.
  element('agent').textContent = purchase.agent;
  element('total').textContent = purchase.total;
  element('merchant').textContent = purchase.merchant;
  const { name, did } = purchase.principal;
  element('principal').textContent = name ?? 'Nobody registered here';
  element('principal-did').textContent = did;
  element('instrument').textContent = purchase.instrument ?? 'The usual payment method';
  element('signed').hidden = purchase.details.length === 0;
  element('details').replaceChildren(...purchase.details.map(detailOf));
  element('encoded').hidden = !purchase.merchantEncoded;
  element('causes').replaceChildren(...purchase.causes.map((cause) => make('li', '', cause)));
  element('items').replaceChildren(...purchase.items.map(itemOf));
  const pending = purchase.status === 'pending';
  show(['purchase', ...(pending ? ['decide'] : [])], SECTIONS);
  if (!pending) {
    showDecision(purchase);
    return;
  }
  stopCountDown = countDown(element('until'), purchase.expiresAt, () => render({ ...purchase, status: 'expired' }));
  const canDecide = purchase.canApprove && canUsePasskeys();
  element('approve').disabled = !canDecide;
  element('deny').disabled = !canDecide;
  if (!purchase.canApprove) {
    element('trouble').textContent =
      'No passkey is enrolled for this purchase yet. Ask whoever runs this node for an enrollment link, then open this page again.';
  } else if (!canDecide) {
    element('trouble').textContent = NO_PASSKEYS;
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

function showDecision(purchase) {
  const [kind, title, message] = OUTCOMES[purchase.status];
  showOutcome(kind, title, message(purchase));
}

async function decide(decision) {
  const buttons = [element('approve'), element('deny')];
  for (const button of buttons) button.disabled = true;
  element('trouble').textContent = '';
  element('status').textContent = 'Confirm with your passkey.';
  try {
    const { challengeId, publicKey } = await ask('POST', '/begin', { decision });
    const credential = await confirmWithPasskey(publicKey);
    render(await ask('POST', '/complete', { challengeId, credential }));
  } catch (error) {
    for (const button of buttons) button.disabled = false;
    element('trouble').textContent = explain(error);
    // It was decided elsewhere, or expired: show how it stands.
    if (error instanceof NodeError && error.status === 409) {
      const purchase = await ask('GET', '/purchase').catch(() => undefined);
      if (purchase !== undefined && purchase.status !== 'pending') render(purchase);
    }
  } finally {
    element('status').textContent = '';
  }
}

function itemOf({ name, quantity, amount }) {
  const item = document.createElement('li');
  item.append(make('bdi', '', quantity === 1 ? name : `${quantity} × ${name}`), make('span', 'amount', amount));
  return item;
}

function detailOf({ name, value }) {
  const detail = document.createElement('div');
  const text = document.createElement('dd');
  text.append(make('bdi', '', value));
  detail.append(make('dt', '', name), text);
  return detail;
}

function make(kind, className, content) {
  const made = document.createElement(kind);
  if (className !== '') made.className = className;
  made.textContent = content;
  return made;
}

try {
  render(await ask('GET', '/purchase'));
} catch (error) {
  show([], SECTIONS);
  const gone = error instanceof NodeError && error.status === 404;
  if (gone) showOutcome('over', 'Nothing to approve here', 'The link is not complete, or the request is gone.');
  else showOutcome('over', 'This did not load', explain(error));
}
