/** Runs before the first paint, and before the rest of the console has come: the theme is set, and what the first screen needs of the node is asked for meanwhile. */
import { askEarly } from './login/early.ts';
import { ALWAYS_ASKED, FIRST_ASKED } from './node/firstAsked.ts';
import { IS_AT_HOME } from './node/here.ts';
import { applyTheme } from './shell/account/theme.ts';

applyTheme();

const IS_FIRST_SCREEN = /^#?\/?$/.test(location.hash);

// A page at another address may be about to go to the node's own (here.ts).
if (IS_AT_HOME) askEarly(IS_FIRST_SCREEN ? FIRST_ASKED : ALWAYS_ASKED);
