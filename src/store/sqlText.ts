/** Adapts SQL text to an engine: numbered placeholders, single statements. */

const COMMENT = /--[^\n]*|\/\*[\s\S]*?\*\//g;
const NOT_CODE = /'(?:[^']|'')*'|"(?:[^"]|"")*"|--[^\n]*|\/\*[\s\S]*?\*\//g;

/** Rewrites the code of an SQL text, except quoted text and comments. */
export function rewriteCode(sql: string, rewrite: (code: string) => string): string {
  let rewritten = '';
  let from = 0;
  for (const match of sql.matchAll(NOT_CODE)) {
    rewritten += rewrite(sql.slice(from, match.index)) + match[0];
    from = match.index + match[0].length;
  }
  return rewritten + rewrite(sql.slice(from));
}

/** Replaces `?` by `$1`, `$2` …, which PostgreSQL requires. */
export function numberPlaceholders(sql: string): string {
  let count = 0;
  return rewriteCode(sql, (code) =>
    code.replaceAll('?', () => {
      count += 1;
      return `$${count}`;
    }),
  );
}

/** The statements of a text, without the semicolons between them. */
export function splitStatements(text: string): string[] {
  return rewriteCode(text, (code) => code.replaceAll(';', '\0'))
    .split('\0')
    .map((statement) => statement.trim())
    .filter((statement) => statement.replace(COMMENT, '').trim() !== '');
}
