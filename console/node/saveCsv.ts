/** Saves a list as the node writes it for programs for tables: all that its filter finds, not what is loaded alone. */
import { download } from './files.ts';
import { askForCsv } from './node.ts';

/** @param list in the node's address, after `/ap2/` @param filter as the node takes it @throws CountersignError */
export async function saveCsv(list: string, filter: object): Promise<void> {
  const query = new URLSearchParams(Object.entries(filter).map(([name, value]) => [name, String(value)]));
  download(`${list.replace('/', '-')}.csv`, await askForCsv(`/ap2/${list}?${query}`), 'text/csv');
}
