/** Files that the browser is given to keep. */
import { askForFile } from './node.ts';

export function download(name: string, content: string | Blob | Uint8Array<ArrayBuffer>, type: string): void {
  const url = URL.createObjectURL(new Blob([content], { type }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  URL.revokeObjectURL(url);
}

/**
 * Saves a list as CSV: all that its filter finds, and not what is loaded alone.
 * @param list in the node's address, after `/ap2/` @param filter as the node takes it @throws CountersignError
 */
export async function saveCsv(list: string, filter: object): Promise<void> {
  const query = new URLSearchParams(Object.entries(filter).map(([name, value]) => [name, String(value)]));
  download(
    `${list.replace('admin/', '').replace('/', '-')}.csv`,
    await askForFile(`/ap2/${list}?${query}`, 'text/csv'),
    'text/csv',
  );
}

/** Saves what answers the disputes of a payment. @throws CountersignError */
export async function saveDisputePack(mandateId: string): Promise<void> {
  const path = `/ap2/payments/${encodeURIComponent(mandateId)}/dispute-pack`;
  download(`dispute-${mandateId}.zip`, await askForFile(path, 'application/zip'), 'application/zip');
}
