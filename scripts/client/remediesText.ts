/** Writes the remedies of errors and reason codes for the Python client, from the page that explains them. */

const HEAD = `"""What a person does about each error and reason code. Written by scripts/client.mjs from docs/reference/errors.md; do not edit."""

REMEDIES: dict[str, str] = {
`;

/** @param page errors.md @returns the text of _remedies.py as it has to be now */
export function remediesText(page: string): string {
  const told = page.matchAll(/^### ([A-Z_]+)\n[^#]*?^- \*\*Remedy:\*\* (.+)$/gm);
  const lines = [...told].map(
    ([, code, remedy = '']) => `    ${JSON.stringify(code)}: ${JSON.stringify(plain(remedy))},\n`,
  );
  return `${HEAD}${lines.join('')}}\n`;
}

/** Links as their text, and a sentence as one. */
function plain(remedy: string): string {
  const text = remedy.replaceAll(/\[([^\]]+)\]\([^)]+\)/g, '$1');
  return text.charAt(0).toUpperCase() + text.slice(1);
}
