/** The approval page: shows one purchase, follows it while it is open, and sends one decision. */
import { clampAll } from './clamp.js';
import { follow } from './follow.js';
import {
  ask,
  countDown,
  element,
  homeUrl,
  isAtHome,
  leadHome,
  NodeError,
  show,
  showOutcome,
  showTime,
} from './page.js';
import {
  cancelPasskey,
  canUsePasskeys,
  confirmWithPasskey,
  explain,
  knowsOne,
  NO_PASSKEYS,
  rememberPasskey,
} from './passkey.js';

const SECTIONS = ['loading', 'purchase', 'enroll', 'decide', 'gone'];
const BUTTONS = ['approve', 'deny'];
let stopCountDown = () => {};
/** The purchase as it was shown last. */
let shown;
/** This page's own decision while the node is asked to take it, or once it has. */
let own;
const VERBS = { pending: 'wants to buy', approved: 'may buy' };
/** Whether a person has approved on this page, and others are to come. */
let isTouched = false;

element('approve').addEventListener('click', () => decide('approve'));
element('deny').addEventListener('click', () => (shown.deniableByLink ? element('sure').showModal() : decide('deny')));
element('back').addEventListener('click', () => element('sure').close());
element('deny-now').addEventListener('click', denyByLink);
element('again').addEventListener('click', () => location.reload());

function render(purchase) {
  stopCountDown();
  shown = purchase;
  // Names come from merchants and agents: they are text, never markup.
  element('agent').textContent = purchase.agent;
  element('verb').textContent = VERBS[purchase.status] ?? 'wanted to buy';
  element('total').textContent = purchase.total;
  element('sum').textContent = purchase.total;
  // Never shortened: who reads the beginning of a domain alone may take it for another shop's.
  element('merchant').replaceChildren(...purchase.merchant.split('.').flatMap(breakable));
  const { name, did } = purchase.principal;
  element('principal').textContent = name ?? 'A person who is not registered here';
  element('principal-did').textContent = did;
  element('agent-did').textContent = purchase.agentDid;
  element('afterwards').hidden = purchase.left === undefined;
  element('left').textContent = purchase.left ?? '';
  element('left').className = purchase.usedUp === true ? 'used-up' : '';
  element('instrument').textContent = purchase.instrument ?? 'The usual payment method';
  element('named').hidden = purchase.merchantName === undefined;
  element('merchant-name').textContent = purchase.merchantName ?? '';
  element('wished').hidden = purchase.asked.length === 0;
  element('asked').replaceChildren(...purchase.asked.map(detailOf));
  element('signed').hidden = purchase.details.length === 0;
  element('details').replaceChildren(...purchase.details.map(detailOf));
  element('encoded').hidden = !purchase.merchantEncoded;
  element('causes').replaceChildren(...purchase.causes.map((cause) => make('li', '', cause)));
  element('items').replaceChildren(...purchase.items.map(itemOf));
  element('unlisted').hidden = purchase.unlisted !== true;
  const pending = purchase.status === 'pending';
  element('technical').hidden = !pending;
  element('why').textContent = pending ? 'Why you are asked' : 'Why a person was asked';
  const help = pending && !purchase.canApprove ? ['enroll'] : [];
  show(['purchase', ...help, ...(pending ? ['decide'] : [])], SECTIONS);
  clampAll(element('purchase'));
  if (pending) renderChoice(purchase);
  else showDecision(purchase);
}

function renderChoice(purchase) {
  // The node says when the time is over, whatever this device's clock does.
  stopCountDown = countDown(element('until'), purchase.expiresAt, () => {});
  const { name, did } = purchase.principal;
  if (name !== undefined) element('approver').textContent = name;
  renderPeople(purchase);
  // No names in a command: the operator will run it in a shell.
  element('command').textContent =
    name === undefined
      ? `countersign agent enroll-link ${purchase.agentDid}`
      : `countersign principal enroll-link ${did}`;
  element('elsewhere').hidden = isAtHome;
  element('home').href = homeUrl();
  element('home').textContent = `at ${new URL(homeUrl()).host}`;
  const byPasskey = purchase.canApprove && isAtHome && canUsePasskeys();
  element('blocked').textContent = purchase.blocked ?? '';
  element('blocked').hidden = purchase.blocked === undefined;
  // What would let a person approve is of no use while nothing can be approved.
  element('missing').hidden = purchase.canApprove || purchase.blocked !== undefined;
  element('approve').hidden = !purchase.canApprove || purchase.blocked !== undefined || isTouched;
  element('deny').hidden = !purchase.canApprove && !purchase.deniableByLink;
  element('approve').disabled = !byPasskey;
  element('deny').disabled = !byPasskey && !purchase.deniableByLink;
  if (isAtHome && !canUsePasskeys()) element('trouble').textContent = NO_PASSKEYS;
}

/** Where the policy asks several people: how many have approved, and who. */
function renderPeople({ people }) {
  element('people').hidden = people === undefined;
  element('touched').hidden = !isTouched || people === undefined;
  if (people === undefined) return;
  element('approver').textContent = 'one of the people whom the policy names';
  const { needed, approved } = people;
  const count = `${approved.length} of ${needed}`;
  const names = approved.length === 0 ? '' : `: ${namesOf(approved)}`;
  element('people').textContent = `${count} ${needed === 1 ? 'person has' : 'people have'} approved${names}`;
  if (!isTouched) return;
  const left = needed - approved.length;
  const others = left === 1 ? 'Another person is' : `${left} other people are`;
  element('touched').textContent =
    `Your approval is recorded, ${count}. ${others} still to approve; you can close this page.`;
}

function namesOf(people) {
  return people.map(({ name }) => name ?? 'a person without a name').join(', ');
}

const HOW = { passkey: 'with a passkey', link: 'by its link', operator: 'by the operator of this node' };

function showDecision(purchase) {
  const { status, agent, total, merchant, decision } = purchase;
  const at = decision === undefined ? '' : ` at ${showTime(decision.at)}`;
  const several = status === 'approved' && purchase.people !== undefined;
  const one = decision?.name === undefined ? undefined : `by ${decision.name}`;
  const by = several ? `by ${namesOf(purchase.people.approved)}` : (one ?? HOW[decision?.by] ?? '');
  const isOwn = own !== undefined && decision !== undefined;
  const how = decision === undefined || (isOwn && !several) ? '' : ` It was ${status} ${by}${at}.`;
  const receipt = isOwn ? `You ${status} ${total} to ${merchant}, ${showTime(decision.at)}. ` : '';
  if (status === 'approved') {
    const allowed = isOwn ? `${agent} pays by itself.` : `${agent} may pay ${total} to ${merchant}.`;
    showOutcome('yes', 'Approved', `${receipt}${allowed}${how} You can close this page.`);
  } else if (decision?.by === 'agent') {
    showOutcome('no', 'Withdrawn', `${agent} took its request back${at}. Nothing will be bought.`);
  } else if (status === 'denied') {
    showOutcome('no', 'Denied', `${receipt}Nothing will be bought.${how} You can close this page.`);
  } else {
    showOutcome('over', 'Too late', 'This request is over, and nothing was bought. The agent can ask again.');
  }
}

async function decide(decision) {
  let allowed = [];
  await attempt(
    'Confirm with your passkey.',
    async () => {
      const { challengeId, publicKey } = await ask('POST', '/begin', { decision });
      allowed = publicKey.allowCredentials.map(({ id }) => id);
      const credential = await confirmWithPasskey(publicKey);
      rememberPasskey(credential.id);
      return () => ask('POST', '/complete', { challengeId, credential });
    },
    (error) => (error?.name === 'NotAllowedError' && !knowsOne(allowed) ? NOT_SHOWN : explain(error)),
  );
}

/** The browser does not say whether it had no passkey or whether it was canceled. */
const NOT_SHOWN =
  'Nothing was confirmed. If this device has no passkey for this purchase, open this link on the device where you ' +
  'made yours, or ask the operator of this node for an enrollment link and open that here. If you only canceled, try again.';

function denyByLink() {
  element('sure').close();
  return attempt('Denying.', () => Promise.resolve(() => ask('POST', '/deny', { decision: 'deny' })), explain);
}

/** @param prepare what comes before the node is asked to take the decision @param say what went wrong, in words */
async function attempt(status, prepare, say) {
  for (const button of BUTTONS) element(button).disabled = true;
  element('trouble').textContent = '';
  element('status').textContent = status;
  try {
    const send = await prepare();
    own = send();
    const purchase = await own;
    // One of several people alone decides nothing yet.
    if (purchase.status === 'pending') {
      own = undefined;
      isTouched = true;
    }
    render(purchase);
  } catch (error) {
    own = undefined;
    if (shown.status !== 'pending') return;
    renderChoice(shown);
    element('trouble').textContent = say(error);
  } finally {
    element('status').textContent = '';
  }
}

/** What the node says of the purchase while the page is open. */
async function onSeen(purchase) {
  element('lost').hidden = true;
  // The answer to this page's own decision is on its way, and says so better.
  await own?.catch(() => {});
  if (shown.status !== 'pending') return;
  if (purchase.status !== 'pending') {
    cancelPasskey();
    element('sure').close();
    element('trouble').textContent = '';
  }
  if (JSON.stringify(purchase) !== JSON.stringify(shown)) render(purchase);
}

/** A domain breaks after its dots. */
function breakable(label, index) {
  return index === 0 ? [label] : ['.', document.createElement('wbr'), label];
}

function itemOf({ name, quantity, amount }) {
  const item = document.createElement('li');
  const text = make('div', 'name', '');
  text.append(make('bdi', 'clamp', quantity === 1 ? name : `${quantity} × ${name}`));
  item.append(text, make('span', 'amount', amount));
  return item;
}

function detailOf({ name, value }) {
  const detail = document.createElement('div');
  const heading = document.createElement('dt');
  const text = document.createElement('dd');
  heading.append(make('bdi', 'clamp', name));
  text.append(make('bdi', 'clamp', value));
  detail.append(heading, text);
  return detail;
}

function make(kind, className, content) {
  const made = document.createElement(kind);
  if (className !== '') made.className = className;
  made.textContent = content;
  return made;
}

/** @returns true where there is no such request, or none any more */
function showGone(error) {
  if (!(error instanceof NodeError) || error.status !== 404) return false;
  show(['gone'], SECTIONS);
  document.title = element('gone-title').textContent;
  element('gone-title').focus();
  return true;
}

async function start() {
  try {
    render(await ask('GET', '/purchase'));
  } catch (error) {
    if (showGone(error)) return;
    show([], SECTIONS);
    showOutcome('over', 'This did not load', explain(error));
    element('again').hidden = false;
    return;
  }
  let isGone = false;
  const onFailed = (error) => {
    isGone = showGone(error);
    element('lost').hidden = isGone;
  };
  await follow(() => shown.status === 'pending' && !isGone, onSeen, onFailed);
}

if (!leadHome()) void start();
