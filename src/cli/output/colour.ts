/** Colours for a person at a terminal; none where output goes elsewhere, or where NO_COLOR asks for none. */
import pc from 'picocolors';

const wanted = process.stdout.isTTY === true && !process.env['NO_COLOR'] && process.env['TERM'] !== 'dumb';

export const colour = pc.createColors(wanted);
