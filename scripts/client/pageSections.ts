/** The sections of the documentation that are made of the code: one for each rule of policies, reason code and webhook event. */
import { CHECKS } from '../../protocol/policy/evaluate.ts';
import { MEMBERS } from '../../protocol/policy/ruleMembers.ts';
import { OTHER_CODES } from '../../protocol/reason.ts';
import { EVENTS } from '../../protocol/webhook/eventList.ts';
import { exampleEvent } from '../../protocol/webhook/exampleEvents.ts';
import { roomsPicture } from './roomsPicture.ts';

/** As wide as lines of pages and of JSON in them are. */
const WIDTH = 130;

interface Section {
  /** The line after which it stands, and the heading before which it ends; the end of the page where there is none. */
  readonly after: string;
  readonly before?: string;
  readonly text: () => string;
}

/** By the name of the page, wherever it lies in docs/. */
const SECTIONS: Readonly<Record<string, readonly Section[]>> = {
  'policies.md': [
    {
      after: 'Each example is a policy, and cases that `countersign policy test` runs against it.',
      text: () => MEMBERS.map(memberSection).join('\n'),
    },
  ],
  'errors.md': [
    {
      after: 'A refusal has every reason code that applies, in this order.',
      before: `### ${OTHER_CODES[0]}`,
      text: () =>
        CHECKS.filter(({ isLast }) => isLast !== true)
          .map(checkSection)
          .join('\n'),
    },
    {
      after: 'These reasons of the policy come after those.',
      before:
        'These reasons are about chains of mandates ([mandate-chains.md](mandate-chains.md)), and come after all others.',
      text: () =>
        CHECKS.filter(({ isLast }) => isLast === true)
          .map(checkSection)
          .join('\n'),
    },
  ],
  'webhooks.md': [{ after: '## The events', text: () => EVENTS.map(eventSection).join('\n') }],
  'internals.md': [
    {
      after:
        'This picture is made of the imports: each room stands above those that it imports, and none imports upward.',
      before: '## Gate',
      text: () => `\`\`\`text\n${roomsPicture()}\n\`\`\`\n`,
    },
  ],
};

/**
 * @param path of a page from the root of the repository @param page its text
 * @returns the page as it has to be now
 * @throws Error for a page without the place of one of its sections
 */
export function withSections(path: string, page: string): string {
  const sections = SECTIONS[path.split('/').at(-1) as string] ?? [];
  return sections.reduce((written, section) => withSection(path, written, section), page);
}

function withSection(path: string, page: string, { after, before, text }: Section): string {
  const start = page.indexOf(`\n${after}\n`);
  const end = before === undefined ? page.length : page.indexOf(`\n${before}\n`, start);
  if (start === -1 || end === -1) throw new Error(`${path} has no place after "${after}".`);
  const up = '../'.repeat(path.split('/').length - 1);
  // Links begin at the root of the repository.
  const linked = text().replaceAll('](/', `](${up}`);
  return `${page.slice(0, start)}\n${after}\n\n${linked}${page.slice(end)}`;
}

function checkSection({ code, docs }: (typeof CHECKS)[number]): string {
  return `### ${code}\n\n- **Cause:** ${docs.cause}\n- **Remedy:** ${docs.remedy}\n`;
}

function eventSection({ type, docs }: (typeof EVENTS)[number]): string {
  const example = exampleEvent(type, 'evt_01m7yh6hz5e8h1k4n7q0t3w6z9', '2026-11-21T07:47:41.449Z');
  return `### ${type}\n\n${wrapped(docs)}\n\n\`\`\`json\n${JSON.stringify(example, null, 2)}\n\`\`\`\n`;
}

function memberSection({ path, docs }: (typeof MEMBERS)[number]): string {
  const about = docs.about.split('\n\n').map(wrapped).join('\n\n');
  const groups = Object.entries({ version: '2.0', ...docs.example }).map(
    ([name, group]) => `"${name}": ${json(group)}`,
  );
  const isWide = groups.join(', ').length > WIDTH;
  const policy = `{ ${groups.join(isWide ? ',\n  ' : ', ')} }`;
  const cases = docs.cases.map(({ expect, ...asked }) => {
    const whole = json({ ...asked, expect });
    if (whole.length <= WIDTH) return `  ${whole}`;
    return `  ${json(asked).slice(0, -' }'.length)},\n    "expect": ${json(expect)} }`;
  });
  return `### \`${path}\`\n\n${about}\n\n\`\`\`json\n${policy}\n\`\`\`\n\n\`\`\`json\n[\n${cases.join(',\n')}\n]\n\`\`\`\n`;
}

/** In one line: `{ "a": [1, 2] }`. */
function json(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(json).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value).map(([name, each]) => `${JSON.stringify(name)}: ${json(each)}`);
  return `{ ${members.join(', ')} }`;
}

function wrapped(paragraph: string): string {
  const lines: string[] = [];
  for (const word of paragraph.split(' ')) {
    const last = lines.at(-1);
    if (last === undefined || last.length + 1 + word.length > WIDTH) lines.push(word);
    else lines[lines.length - 1] = `${last} ${word}`;
  }
  return lines.join('\n');
}
