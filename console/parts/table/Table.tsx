/** Records as a table: a line each, under a heading for each day where they have one. Its lines are one stop of Tab; arrows lead from line to line. */
import { type ComponentChildren, Fragment } from 'preact';
import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { keepLine, lineOf } from '../../shell/route.ts';
import { byDay } from './byDay.ts';
import { rove, STOPS, stopOf, walk } from './walk.ts';

export interface TableColumn<Item> {
  /** Its heading; where it is empty, what is in the column says what it is. */
  readonly name: string;
  /** In rem, or as a share such as "25%"; the others share what is left. */
  readonly width?: number | string;
  /** Amounts stand at the end of their column. */
  readonly isEnd?: true;
  /** Its text goes on in a second line, where others end in dots. */
  readonly isLong?: true;
  /** What the record is called: it leads to the record, or opens it. */
  readonly isMain?: true;
  /** How the records stand by it, where they can. */
  readonly sort?: 'ascending' | 'descending' | 'none';
  onSort?(): void;
  readonly cell: (item: Item) => ComponentChildren;
}

interface TableProps<Item> {
  readonly label: ComponentChildren;
  readonly columns: readonly TableColumn<Item>[];
  readonly items: readonly Item[];
  keyOf(item: Item): string | number;
  hrefOf?(item: Item): string;
  /** Its moment: a heading stands above the lines of each day. */
  readonly timeOf?: ((item: Item) => string) | undefined;
  /** What is shown below the line once it is opened. */
  openedOf?(item: Item): ComponentChildren;
}

export function Table<Item>({ label, columns, items, keyOf, hrefOf, timeOf, openedOf }: TableProps<Item>) {
  const [opened, setOpened] = useState<ReadonlySet<string | number>>(new Set());
  const id = useId();
  const { table, enter } = useStop();
  const toggle = (key: string | number) => {
    const next = new Set(opened);
    if (!next.delete(key)) next.add(key);
    setOpened(next);
  };
  return (
    <table ref={table} class="table" onClick={follow} onKeyDown={walk} onFocusIn={enter}>
      <caption>{label}</caption>
      <Head columns={columns} />
      {byDay(items, timeOf).map(({ day, of }) => (
        <tbody key={day}>
          {day !== undefined && (
            <tr>
              <th class="day" scope="rowgroup" colSpan={columns.length}>
                {day}
              </th>
            </tr>
          )}
          {of.map((item) => {
            const key = keyOf(item);
            const isOpen = opened.has(key);
            return (
              <Fragment key={key}>
                <tr id={`${id}-${key}`} data-key={key}>
                  {columns.map(({ name, isEnd, isLong, isMain, cell }) => (
                    <td key={name} class={isEnd ? 'end' : isLong && 'long'}>
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

function Head<Item>({ columns }: Pick<TableProps<Item>, 'columns'>) {
  return (
    <>
      <colgroup>
        {columns.map(({ name, width }) => (
          <col key={name} style={{ width: typeof width === 'number' ? `${width}rem` : (width ?? 'auto') }} />
        ))}
      </colgroup>
      <thead>
        <tr>
          {columns.map(({ name, isEnd, sort, onSort }) => (
            <th key={name} scope="col" class={isEnd && 'end'} aria-sort={sort}>
              {name === '' && <span class="unseen">Actions</span>}
              {onSort === undefined ? (
                name
              ) : (
                <button type="button" class="sort" onClick={onSort}>
                  {name} {sort !== 'none' && <span aria-hidden="true">{sort === 'ascending' ? '↑' : '↓'}</span>}
                </button>
              )}
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

/** Keeps one line the stop of a table. */
function useStop() {
  const table = useRef<HTMLTableElement>(null);
  const current = useRef(lineOf());
  useLayoutEffect(() => {
    if (table.current !== null) rove(table.current, current.current);
  });
  useLayoutEffect(() => {
    // A user who comes back is at the line that they left from.
    if (table.current !== null && isFocusFree()) stopOf(table.current, current.current)?.focus({ preventScroll: true });
  }, []);
  const enter = ({ currentTarget, target }: TargetedFocus) => {
    const key = (target as Element).closest<HTMLElement>('tr[data-key]')?.dataset['key'];
    if (key === undefined) return;
    current.current = key;
    keepLine(key);
    rove(currentTarget, key);
  };
  return { table, enter };
}

type TargetedFocus = FocusEvent & { readonly currentTarget: HTMLTableElement };

/** Whether the focus is nowhere, or on the screen as a whole, which has just come. */
function isFocusFree(): boolean {
  const { activeElement } = document;
  return activeElement === null || activeElement === document.body || activeElement.matches('main, h1');
}

/** A click beside the words is meant for the record, too, unless text is being chosen. */
function follow(event: MouseEvent): void {
  const at = event.target as Element;
  if (at.closest(STOPS) !== null || at.closest('.opened-row') !== null || String(getSelection()) !== '') return;
  const { ctrlKey, metaKey, shiftKey } = event;
  const main = at.closest('tr')?.querySelector('td > a, td > [aria-expanded]');
  main?.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true, ctrlKey, metaKey, shiftKey }));
}
