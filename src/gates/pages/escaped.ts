/** Text in a page. */

/** Text as an attribute or as content (HTML, section 13.1.2). */
export function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
