/** Writes the table of errors for the Python client: their HTTP statuses, and the remedies that the page on errors tells. */
import { FAULTS } from '../../protocol/wire/fault.ts';

const HEAD = `"""The errors of a node. Written by scripts/client.mjs from its table and docs/reference/errors.md; do not edit."""

STATUSES: dict[str, int] = {
`;

/** @param page errors.md @returns the text of _faults.py as it has to be now */
export function faultsText(page: string): string {
  const statuses = Object.entries(FAULTS).map(([code, { http }]) => `    ${JSON.stringify(code)}: ${http},\n`);
  const told = page.matchAll(/^### ([A-Z_]+)\n[^#]*?^- \*\*Remedy:\*\* (.+)$/gm);
  const remedies = [...told].map(
    ([, code, remedy = '']) => `    ${JSON.stringify(code)}: ${JSON.stringify(plain(remedy))},\n`,
  );
  return [
    HEAD,
    ...statuses,
    '}\n"""The HTTP status of each code."""\n\nREMEDIES: dict[str, str] = {\n',
    ...remedies,
    '}\n"""What a person does about each error and reason code."""\n',
  ].join('');
}

/** Links as their text, and a sentence as one. */
function plain(remedy: string): string {
  const text = remedy.replaceAll(/\[([^\]]+)\]\([^)]+\)/g, '$1');
  return text.charAt(0).toUpperCase() + text.slice(1);
}
