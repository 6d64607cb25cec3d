/** Which program this is. */
import { readJsonAsset } from '../assets/assets.ts';

export const { version } = readJsonAsset('package.json') as { readonly version: string };
