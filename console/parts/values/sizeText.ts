/** Sizes of files, in the units that disks are sold by. */

const UNITS = ['bytes', 'kB', 'MB', 'GB', 'TB'];

/** @param bytes a whole number @returns such as 4.9 MB */
export function sizeText(bytes: number): string {
  const power = Math.min(UNITS.length - 1, Math.floor(Math.log10(Math.max(bytes, 1)) / 3));
  const size = bytes / 1000 ** power;
  return `${size.toLocaleString('en-US', { maximumFractionDigits: power === 0 ? 0 : 1 })} ${UNITS[power]}`;
}
