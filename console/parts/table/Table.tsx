/** Records as a table: a line each, by days where they have one, with arrows from line to line. */
import { type ComponentChildren, Fragment } from 'preact';
import { useId, useState } from 'preact/hooks';
import { dayTitle } from '../values/moment.ts';

export interface Column<Item> {
  /** Its heading; where it is empty, what is in the column says what it is. */
  readonly name: string;
  /** In rem, or as a share such as "25%"; the others share what is left. */
  readonly width?: number | string;
  /** Amounts stand at the end of their column. */
  readonly isEnd?: true;
  /** What the record is called: it leads to the record, or opens it. */
  readonly isMain?: true;
  readonly cell: (item: Item) => ComponentChildren;
}

interface TableProps<Item> {
  readonly label: ComponentChildren;
  readonly columns: readonly Column<Item>[];
  readonly items: readonly Item[];
  keyOf(item: Item): string | number;
  hrefOf?(item: Item): string;
  /** Its moment: a heading stands beside the lines of each day. */
  timeOf?(item: Item): string;
  /** What is shown below the line once it is opened. */
  openedOf?(item: Item): ComponentChildren;
}

export function Table<Item>({ label, columns, items, keyOf, hrefOf, timeOf, openedOf }: TableProps<Item>) {
  const [opened, setOpened] = useState<ReadonlySet<string | number>>(new Set());
  const id = useId();
  const toggle = (key: string | number) => {
    const next = new Set(opened);
    if (!next.delete(key)) next.add(key);
    setOpened(next);
  };
  return (
    <table class="table" onClick={follow} onKeyDown={walk}>
      <caption>{label}</caption>
      <Head columns={columns} hasDays={timeOf !== undefined} />
      {byDay(items, timeOf).map(({ day, of }) => (
        <tbody key={day}>
          {of.map((item, index) => {
            const key = keyOf(item);
            const isOpen = opened.has(key);
            return (
              <Fragment key={key}>
                <tr id={`${id}-${key}`}>
                  {index === 0 && day !== undefined && (
                    <th
                      class="day"
                      scope="rowgroup"
                      rowSpan={of.length + of.filter((each) => opened.has(keyOf(each))).length}
                    >
                      <span>{day}</span>
                    </th>
                  )}
                  {columns.map(({ name, isEnd, isMain, cell }) => (
                    <td key={name} class={isEnd && 'end'}>
                      {!isMain ? (
                        cell(item)
                      ) : (
                        <Main
                          line={`${id}-${key}`}
                          href={hrefOf?.(item)}
                          isOpen={isOpen}
                          onOpen={openedOf && (() => toggle(key))}
                        >
                          {cell(item)}
                        </Main>
                      )}
                    </td>
                  ))}
                </tr>
                {isOpen && (
                  <tr class="opened-row">
                    <td colSpan={columns.length}>{openedOf?.(item)}</td>
                  </tr>
                )}
              </Fragment>
            );
          })}
        </tbody>
      ))}
    </table>
  );
}

interface HeadProps<Item> {
  readonly columns: readonly Column<Item>[];
  readonly hasDays: boolean;
}

function Head<Item>({ columns, hasDays }: HeadProps<Item>) {
  return (
    <>
      <colgroup>
        {hasDays && <col class="day-col" />}
        {columns.map(({ name, width }) => (
          <col key={name} style={{ width: typeof width === 'number' ? `${width}rem` : (width ?? 'auto') }} />
        ))}
      </colgroup>
      <thead>
        <tr>
          {hasDays && <th scope="col">Day</th>}
          {columns.map(({ name, isEnd }) => (
            <th key={name} scope="col" class={isEnd && 'end'}>
              {name === '' ? <span class="unseen">Actions</span> : name}
            </th>
          ))}
        </tr>
      </thead>
    </>
  );
}

interface MainProps {
  /** The id of the line, which what leads to a record is called by: many have the same merchant. */
  readonly line: string;
  readonly href: string | undefined;
  readonly isOpen: boolean;
  readonly onOpen: (() => void) | undefined;
  readonly children: ComponentChildren;
}

function Main({ line, href, isOpen, onOpen, children }: MainProps) {
  if (href !== undefined) {
    return (
      <a href={href} aria-labelledby={line}>
        {children}
      </a>
    );
  }
  if (onOpen === undefined) return <>{children}</>;
  return (
    <button type="button" aria-labelledby={line} aria-expanded={isOpen} onClick={onOpen}>
      {children}
    </button>
  );
}

interface Day<Item> {
  readonly day: string | undefined;
  readonly of: Item[];
}

function byDay<Item>(items: readonly Item[], timeOf: TableProps<Item>['timeOf']): readonly Day<Item>[] {
  const days: Day<Item>[] = [];
  for (const item of items) {
    const day = timeOf && dayTitle(timeOf(item));
    const last = days.at(-1);
    if (last !== undefined && last.day === day) last.of.push(item);
    else days.push({ day, of: [item] });
  }
  return days;
}

/** What can be come to in a line. */
const STOPS = 'a, button, select';

/** A click beside the words is meant for the record, too, unless text is being chosen. */
function follow(event: MouseEvent): void {
  const at = event.target as Element;
  if (at.closest(STOPS) !== null || at.closest('.opened-row') !== null || String(getSelection()) !== '') return;
  const { ctrlKey, metaKey, shiftKey } = event;
  const main = at.closest('tr')?.querySelector('td > a, td > [aria-expanded]');
  main?.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true, ctrlKey, metaKey, shiftKey }));
}

function walk(event: KeyboardEvent): void {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  const at = event.target as Element;
  // In a choice they choose.
  if (step === undefined || at.matches('select')) return;
  const lines = [...(event.currentTarget as Element).querySelectorAll('tbody > tr')];
  const stops = lines.map((line) => line.querySelector<HTMLElement>(STOPS));
  let next = lines.indexOf(at.closest('tr') as Element) + step;
  while (next in stops && stops[next] === null) next += step;
  const stop = stops[next];
  if (!stop) return;
  event.preventDefault();
  stop.focus();
}
