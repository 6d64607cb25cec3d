/** Numbers given on the command line. */
import { WrongUse } from '../exit.ts';

/** @returns a whole number from 1 on @throws WrongUse with the option's name */
export function wholeNumber(text: string, option: string): number {
  const value = Number(text);
  if (Number.isInteger(value) && value >= 1) return value;
  throw new WrongUse(`${option} must be a whole number from 1 on; "${text}" is none.`);
}

/** @returns an amount in units of its currency @throws WrongUse with the option's name */
export function amountOf(text: string, option: string): number {
  const value = Number(text);
  if (text.trim() !== '' && Number.isFinite(value) && value > 0) return value;
  throw new WrongUse(`${option} must be an amount such as 42.50; "${text}" is none.`);
}
