/** What rules said of a purchase: asked, limit and left. Those against it come first; those that passed or were not asked are folded. */
import type { ComponentChildren } from 'preact';
import { type Operations, ruleNames } from '../../../client/operations.ts';
import { amountText } from '../values/amount.ts';
import { reasonText } from '../values/reasonText.ts';
import { Status } from '../values/Status.tsx';

type RuleTable = Operations['simulateDraft']['output']['ruleTable'];
type Row = RuleTable[number];

const OVER_TIME: readonly string[] = ['SPENDING_LIMIT_EXCEEDED', 'VELOCITY_EXCEEDED', 'limit'];

interface RuleRowsProps {
  readonly rules: RuleTable;
  /** Where a rule that said something against the purchase can be changed. */
  readonly originOf?: ((rule: RuleOrigin) => string) | undefined;
}

export interface RuleOrigin {
  readonly row: Row;
  /** Of the policy's member. */
  readonly path: string;
}

export function RuleRows({ rules, originOf }: RuleRowsProps) {
  const rowsOf = (...outcomes: readonly Row['outcome'][]) => rules.filter(({ outcome }) => outcomes.includes(outcome));
  const against = rowsOf('failed', 'person');
  return (
    <div class="rule-box">
      {against.length > 0 && <Table caption="Rules against it" rows={against} originOf={originOf} />}
      <Folded rows={rowsOf('passed')} said={['passed', 'passed']} />
      <Folded rows={rowsOf('notAsked')} said={['was not asked', 'were not asked']} />
    </div>
  );
}

interface FoldedProps {
  readonly rows: readonly Row[];
  /** Of one rule, and of several. */
  readonly said: readonly [one: string, several: string];
}

function Folded({ rows, said: [one, several] }: FoldedProps) {
  if (rows.length === 0) return null;
  const caption = rows.length === 1 ? `One rule ${one}` : `${rows.length} rules ${several}`;
  return (
    <details>
      <summary>{caption}</summary>
      <Table caption={caption} rows={rows} />
    </details>
  );
}

interface TableProps {
  readonly caption: string;
  readonly rows: readonly Row[];
  readonly originOf?: RuleRowsProps['originOf'];
}

function Table({ caption, rows, originOf }: TableProps) {
  return (
    <table class="rules">
      <caption class="unseen">{caption}</caption>
      <thead>
        <tr>
          <th scope="col">Rule</th>
          <th scope="col">Asked</th>
          <th scope="col">Limit</th>
          <th scope="col">Left</th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <RuleRow key={row.rule} row={row} originOf={originOf} />
        ))}
      </tbody>
    </table>
  );
}

function RuleRow({ row, originOf }: { readonly row: Row; readonly originOf: RuleRowsProps['originOf'] }) {
  const { rule, outcome, sentence } = row;
  const known = ruleNames[rule];
  const isAgainst = outcome === 'failed' || outcome === 'person';
  return (
    <tr class={outcome}>
      <th scope="row">
        <span class="rule-name">
          {known?.name ?? reasonText(rule)} <Status state={outcome} />
        </span>
        <bdi class="quiet">{sentence}</bdi>
        {isAgainst && originOf !== undefined && known !== undefined && (
          <a
            class="inline-link"
            href={originOf({ row, path: known.path })}
            aria-label={`Change this rule: ${known.name}`}
          >
            Change this rule
          </a>
        )}
      </th>
      {/* A limit over time compares what was bought before as well. */}
      <Figure name="Asked">{figure(row, row.asked, OVER_TIME.includes(rule) ? 'in all ' : '')}</Figure>
      <Figure name="Limit">{figure(row, row.limit)}</Figure>
      {/* What is over is not left. */}
      <Figure name={Number(row.left) < 0 ? '' : 'Left'}>{figure(row, row.left)}</Figure>
    </tr>
  );
}

function Figure({ name, children }: { readonly name: string; readonly children: ComponentChildren }) {
  if (children === undefined) return <td class="none" />;
  return (
    <td>
      {/* On a phone the heads of the columns are not there. */}
      <span class="figure-name">{name} </span>
      <bdi class="money">{children}</bdi>
    </td>
  );
}

function figure({ currency }: Row, value: number | string | undefined, before = ''): string | undefined {
  if (value === undefined || typeof value === 'string') return value;
  const size = Math.abs(value);
  const text = currency === undefined ? size.toLocaleString('en-US') : amountText(size, currency);
  return value < 0 ? `over by ${text}` : before + text;
}
