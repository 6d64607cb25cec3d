/** What a page of the documents does with scripts: search, copy buttons. All of it can be read without. */
const up = document.body.dataset.up ?? '';
const field = document.getElementById('q');
const found = document.getElementById('found');
const MOST_FOUND = 8;

/** As searchIndex.ts leaves them out. */
const COMMON = new Set(
  'a about after again all alone also an and another any are as at be because been before beside between both but by can could do does each else every first for from gives goes has have he here his how if in into is it its itself made makes many may more most must never no none not nothing now of on once one only or other others out over own same says she since so such takes than that the their them then there these they this those through to too two under until up used was were what when where whether which while who whose will with within without would you'.split(
    ' ',
  ),
);

function processTerm(term) {
  const word = term.toLowerCase();
  return word.length < 2 || word.length > 40 || /^\d+$/.test(word) || COMMON.has(word) ? null : word;
}

let index;
/** The index is loaded when the field is touched, once. */
function load() {
  index ??= Promise.all([
    import('./minisearch.js'),
    fetch(`${up}docs/search.json`).then((answer) => answer.text()),
  ]).then(([{ default: MiniSearch }, json]) =>
    MiniSearch.loadJSON(json, {
      fields: ['title', 'heading', 'text'],
      storeFields: ['title', 'heading', 'at'],
      processTerm,
    }),
  );
  return index;
}

const OPTIONS = {
  boost: { title: 4, heading: 3 },
  prefix: (term) => term.length > 2,
  fuzzy: (term) => (term.length > 4 ? 0.2 : false),
  combineWith: 'AND',
};

let selected = -1;

function show(results) {
  selected = -1;
  found.replaceChildren(
    ...results.slice(0, MOST_FOUND).map(({ title, heading, at }, place) => {
      const item = document.createElement('li');
      item.id = `found-${place}`;
      item.setAttribute('role', 'option');
      const link = document.createElement('a');
      link.href = `${up}docs/${at}`;
      link.tabIndex = -1;
      const name = document.createElement('strong');
      name.textContent = heading || title;
      const where = document.createElement('span');
      where.textContent = heading ? title : 'Page';
      link.append(name, where);
      item.append(link);
      return item;
    }),
  );
  if (results.length === 0 && field.value.trim() !== '') {
    const none = document.createElement('li');
    none.className = 'none';
    none.textContent = 'Nothing was found. Try one word less.';
    found.append(none);
  }
  const isOpen = field.value.trim() !== '';
  found.hidden = !isOpen;
  field.setAttribute('aria-expanded', String(isOpen));
  field.removeAttribute('aria-activedescendant');
}

async function search() {
  const words = field.value.trim();
  if (words === '') return show([]);
  const loaded = await load();
  // The reader may have typed on while the index came.
  if (field.value.trim() !== words) return;
  const all = loaded.search(words, OPTIONS);
  show(all.length > 0 ? all : loaded.search(words, { ...OPTIONS, combineWith: 'OR' }));
}

function select(step) {
  const options = [...found.querySelectorAll('[role=option]')];
  if (options.length === 0) return;
  selected = (selected + step + options.length) % options.length;
  for (const [place, option] of options.entries()) option.setAttribute('aria-selected', String(place === selected));
  field.setAttribute('aria-activedescendant', options[selected].id);
  options[selected].scrollIntoView({ block: 'nearest' });
}

function close() {
  found.hidden = true;
  field.setAttribute('aria-expanded', 'false');
}

field.addEventListener('focus', () => void load());
field.addEventListener('input', () => void search());
field.addEventListener('keydown', (event) => {
  if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
    event.preventDefault();
    select(event.key === 'ArrowDown' ? 1 : -1);
  } else if (event.key === 'Escape') {
    close();
  }
});
field.form.addEventListener('submit', (event) => {
  event.preventDefault();
  const options = found.querySelectorAll('[role=option] a');
  (options[Math.max(selected, 0)] ?? null)?.click();
  close();
});
document.addEventListener('click', (event) => {
  if (!field.form.contains(event.target) || event.target.closest('#found a')) close();
});
document.addEventListener('keydown', (event) => {
  const isTyping = /^(INPUT|TEXTAREA|SELECT)$/.test(event.target.tagName);
  if (event.key !== '/' || isTyping || event.ctrlKey || event.metaKey) return;
  event.preventDefault();
  field.focus();
});

for (const block of document.querySelectorAll('.guide pre')) {
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'copy';
  button.textContent = 'Copy';
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(block.querySelector('code').textContent);
    button.textContent = 'Copied';
    setTimeout(() => (button.textContent = 'Copy'), 1500);
  });
  const holder = document.createElement('div');
  holder.className = 'block';
  block.replaceWith(holder);
  holder.append(block, button);
}
