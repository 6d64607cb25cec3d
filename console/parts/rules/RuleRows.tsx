/** Every rule with what it said of a purchase: asked, limit and left. Those that were not asked stand below, folded. */
import type { ComponentChildren } from 'preact';
import { type Operations, ruleNames } from '../../../client/operations.ts';
import { amountText } from '../values/amount.ts';
import { reasonText } from '../values/reasonText.ts';
import { Status } from '../values/Status.tsx';

type RuleTable = Operations['simulateDraft']['output']['ruleTable'];
type Row = RuleTable[number];

interface RuleRowsProps {
  readonly rules: RuleTable;
  /** Where the rule can be changed, for those that said something against the purchase. */
  readonly hrefOf?: ((path: string) => string) | undefined;
}

export function RuleRows({ rules, hrefOf }: RuleRowsProps) {
  const asked = rules.filter(({ outcome }) => outcome !== 'notAsked');
  const others = rules.filter(({ outcome }) => outcome === 'notAsked');
  return (
    <div class="rule-box">
      {asked.length > 0 && <Table caption="What each rule said" rows={asked} hrefOf={hrefOf} />}
      {others.length > 0 && (
        <details class="not-asked">
          <summary>{others.length === 1 ? 'One rule was not asked' : `${others.length} rules were not asked`}</summary>
          <Table caption="Rules that were not asked" rows={others} />
        </details>
      )}
    </div>
  );
}

interface TableProps {
  readonly caption: string;
  readonly rows: readonly Row[];
  readonly hrefOf?: RuleRowsProps['hrefOf'];
}

function Table({ caption, rows, hrefOf }: TableProps) {
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
          <RuleRow key={row.rule} row={row} hrefOf={hrefOf} />
        ))}
      </tbody>
    </table>
  );
}

function RuleRow({ row, hrefOf }: { readonly row: Row; readonly hrefOf: RuleRowsProps['hrefOf'] }) {
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
        {isAgainst && hrefOf !== undefined && known !== undefined && (
          <a class="inline-link" href={hrefOf(known.path)} aria-label={`Change this rule: ${known.name}`}>
            Change this rule
          </a>
        )}
      </th>
      <Figure name="Asked">{figure(row, row.asked)}</Figure>
      <Figure name="Limit">{figure(row, row.limit)}</Figure>
      <Figure name="Left">{figure(row, row.left)}</Figure>
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

function figure({ currency }: Row, value: number | string | undefined): string | undefined {
  if (value === undefined || typeof value === 'string') return value;
  const text = currency === undefined ? value.toLocaleString('en-US') : amountText(value, currency);
  return text.replace(/^-/, '−');
}
