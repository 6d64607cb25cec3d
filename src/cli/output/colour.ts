/** Colours for a person at a terminal; output to a file or pipe, or with NO_COLOR set, has none. */
import pc from 'picocolors';

const wanted = process.stdout.isTTY === true && !process.env['NO_COLOR'] && process.env['TERM'] !== 'dumb';

export const colour = pc.createColors(wanted);
