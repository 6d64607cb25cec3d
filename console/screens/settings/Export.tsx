/** What accounting takes of a month: a journal in double entry, and the lists behind it. */
import { useState } from 'preact/hooks';
import { download, saveCsv } from '../../node/files.ts';
import { askForFile } from '../../node/node.ts';
import { Button } from '../../parts/Button.tsx';
import { Card } from '../../parts/Card.tsx';
import { Choice, Field } from '../../parts/form/Field.tsx';
import { SubPlaces } from '../../parts/SubPlaces.tsx';

const FORMATS = [
  ['csv', 'CSV, a line for each posting'],
  ['beancount', 'Beancount'],
] as const;

const MONTH = /^20\d\d-(0[1-9]|1[0-2])$/;

export function Export() {
  const [month, setMonth] = useState(lastMonth());
  const [format, setFormat] = useState<string>('csv');
  const timezone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const isMonth = MONTH.test(month);
  const journal = async () => {
    const query = new URLSearchParams({ month, format, timezone });
    download(`journal-${month}.${format}`, await askForFile(`/ap2/admin/journal?${query}`, 'text/csv'), 'text/plain');
  };
  const [from, to] = isMonth ? momentsOf(month) : [new Date(0), new Date(0)];
  return (
    <SubPlaces of="/settings">
      <Card title="Export for accounting">
        <p>
          A journal in double entry: what was paid, refunded and disputed, each with its agent, whose money it was,
          category and rail. Days are those of {timezone}.
        </p>
        <Field
          label="Month"
          value={month}
          onInput={setMonth}
          hint={isMonth ? undefined : 'Write the month as 2026-11.'}
          input={{ type: 'month', required: true }}
        />
        <Choice label="Journal as" value={format} options={FORMATS} onChange={setFormat} />
        <div class="buttons">
          <Button kind="first" disabled={!isMonth} onClick={journal}>
            Download the journal
          </Button>
          <Button
            disabled={!isMonth}
            onClick={() => saveCsv('payments', { from: from.toISOString(), to: to.toISOString() })}
          >
            Payments begun in it
          </Button>
          <Button
            disabled={!isMonth}
            onClick={() =>
              saveCsv('admin/spend', { from: `${month}-01`, to: `${month}-${to.getDate()}`, timezone, by: 'agent' })
            }
          >
            Spend by agent
          </Button>
        </div>
      </Card>
    </SubPlaces>
  );
}

/** The month before this one, which is over. */
function lastMonth(): string {
  const now = new Date();
  const { year, month } = { year: now.getFullYear(), month: now.getMonth() };
  const [inYear, number] = month === 0 ? [year - 1, 12] : [year, month];
  return `${inYear}-${String(number).padStart(2, '0')}`;
}

/** Its first moment and its last one, in the browser's zone. */
function momentsOf(text: string): readonly [Date, Date] {
  const [year = 0, month = 1] = text.split('-').map(Number);
  return [new Date(year, month - 1, 1), new Date(new Date(year, month, 1).getTime() - 1)];
}
