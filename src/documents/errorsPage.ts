/** The page at /docs/errors, out of docs/errors.md: as much of Markdown (CommonMark) as that file uses. */

/** @param markdown headings, paragraphs, lists, bold and code @returns a page whose headings can be linked to */
export function renderErrors(markdown: string): string {
  const blocks = markdown.trim().split(/\n{2,}/);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Errors and reason codes</title>
<link rel="stylesheet" href="style.css">
</head>
<body>
<header>
${blocks.map(blockOf).join('\n')}
<p><a href="../docs">Every operation</a></p>
</header>
</body>
</html>
`;
}

function blockOf(text: string): string {
  const heading = /^(#{1,3}) (.+)$/.exec(text);
  if (heading !== null) {
    const level = heading[1]?.length ?? 1;
    const title = heading[2] ?? '';
    return `<h${level} id="${escaped(title.replaceAll(' ', '-'))}">${inline(title)}</h${level}>`;
  }
  if (!text.startsWith('- ')) return `<p>${inline(text)}</p>`;
  const items = text.slice(2).split(/\n- /);
  return `<ul>\n${items.map((item) => `<li>${inline(item)}</li>`).join('\n')}\n</ul>`;
}

function inline(text: string): string {
  return escaped(text)
    .replace(/`([^`]+)`/g, '<code>$1</code>')
    .replace(/\*\*([^*]+)\*\*/g, '<strong>$1</strong>');
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}
