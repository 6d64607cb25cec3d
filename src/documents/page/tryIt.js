/** Asks the node an operation from the page, in the sandbox: with a key of this tab, or with the login of the console. */
import { copyable, element } from './element.js';
import { addressOf, bodyOf, needsCredential } from './request.js';

/** Only for as long as the tab shows the page: it is never stored. */
let key = '';

/** As the console has it: the refresh cookie serves once, so one tab renews at a time. */
const LOCK = 'countersign.login';
const BEGUN = 'countersign.renewal';
const ANSWERED_MS = 5000;

export function tryIt(entry, up) {
  const { method, operation } = entry;
  const fields = operation.parameters.filter((parameter) => parameter.in !== 'header');
  const inputs = fields.map((parameter) => {
    const input = element('input', {
      name: parameter.name,
      autocomplete: 'off',
      spellcheck: 'false',
      ...(parameter.required ? { required: '' } : {}),
    });
    input.value = parameter.in === 'path' || parameter.required ? String(parameter.example ?? '') : '';
    return [parameter, input];
  });
  const example = bodyOf(entry);
  const body = example === undefined ? undefined : element('textarea', { rows: '10', spellcheck: 'false' });
  if (body !== undefined) body.value = JSON.stringify(example, null, 2);
  const credential = needsCredential(entry) ? credentialFields(up) : undefined;
  const result = element('div.result', { role: 'status' });
  const send = element('button.send', { type: 'submit' }, 'Send');
  const form = element(
    'form.try',
    {},
    ...(credential === undefined ? [] : [credential.view]),
    ...inputs.map(([{ name, required }, input]) =>
      element('label', {}, `${name}${required ? '' : ' (optional)'}`, input),
    ),
    body === undefined ? undefined : element('label', {}, 'Body', body),
    send,
    result,
  );
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    send.disabled = true;
    try {
      const values = Object.fromEntries(inputs.map(([{ name }, input]) => [name, input.value]));
      const text = body?.value;
      if (text !== undefined) JSON.parse(text);
      const headers = {
        ...(credential === undefined ? {} : { Authorization: `Bearer ${await credential.token()}` }),
        ...(text === undefined ? {} : { 'Content-Type': 'application/json' }),
      };
      const started = performance.now();
      const answer = await fetch(addressOf(entry, values, up), {
        method: method.toUpperCase(),
        headers,
        cache: 'no-store',
        ...(text === undefined ? {} : { body: text }),
      });
      result.replaceChildren(...(await shown(answer, Math.round(performance.now() - started))));
    } catch (error) {
      result.replaceChildren(element('p.trouble', {}, String(error.message ?? error)));
    } finally {
      send.disabled = false;
    }
  });
  return form;
}

function credentialFields(up) {
  const input = element('input', { type: 'password', autocomplete: 'off', placeholder: 'ak_test_…' });
  input.value = key;
  input.addEventListener('input', () => {
    key = input.value;
  });
  const login = element('input', { type: 'checkbox' });
  login.addEventListener('change', () => {
    input.disabled = login.checked;
  });
  const view = element(
    'div.credential',
    {},
    element('label', {}, 'API key, kept in this tab alone', input),
    element('label.check', {}, login, ' Use my login of the console instead'),
  );
  return { view, token: async () => (login.checked ? renewedToken(up) : given(input)) };
}

function given(input) {
  // Another operation of the page may have been given it.
  const token = input.value || key;
  if (token === '') throw new Error('Give an API key, or use your login of the console.');
  return token;
}

let renewed;

async function renewedToken(up) {
  if (renewed !== undefined && renewed.until > Date.now()) return renewed.token;
  const answer = await navigator.locks.request(LOCK, async () => {
    for (let left = leftMs(); left > 0; left = leftMs()) await new Promise((resolve) => setTimeout(resolve, left));
    localStorage.setItem(BEGUN, String(Date.now()));
    const response = await fetch(`${up}ap2/auth/refresh`, { method: 'POST', cache: 'no-store', keepalive: true });
    localStorage.setItem(BEGUN, '');
    return response;
  });
  if (!answer.ok) throw new Error('You are not signed in to the console in this browser.');
  const { accessToken } = await answer.json();
  renewed = { token: accessToken, until: Date.now() + 60_000 };
  return accessToken;
}

function leftMs() {
  const ms = Number(localStorage.getItem(BEGUN)) + ANSWERED_MS - Date.now();
  return ms <= ANSWERED_MS ? ms : 0;
}

async function shown(answer, ms) {
  const text = await answer.text();
  const isJson = /json/.test(answer.headers.get('content-type') ?? '');
  const pretty = isJson && text !== '' ? JSON.stringify(JSON.parse(text), null, 2) : text.slice(0, 20_000);
  const line = element(
    'p',
    {},
    element(`code.status.s${String(answer.status)[0]}`, {}, String(answer.status)),
    ` in ${ms} ms`,
  );
  return [line, text === '' ? element('p', {}, 'There is no body.') : copyable(pretty, 'the answer')];
}
