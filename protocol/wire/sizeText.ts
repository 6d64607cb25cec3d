/** A number of bytes as people read it, by thousands, as disks are sold: "512 kB", "1.2 GB". */

const UNITS = ['bytes', 'kB', 'MB', 'GB', 'TB'];

/** @param bytes a whole number, 0 or more */
export function sizeText(bytes: number): string {
  const power = Math.min(UNITS.length - 1, Math.floor(Math.log10(Math.max(bytes, 1)) / 3));
  const size = bytes / 1000 ** power;
  return `${size.toLocaleString('en-US', { maximumFractionDigits: power === 0 ? 0 : 1 })} ${UNITS[power]}`;
}
