/** Starts the console. */
import { render } from 'preact';
import { followNames } from './node/agentNames.ts';
import { leadHome } from './node/here.ts';
import { followNode } from './node/live.ts';
import { App } from './shell/App.tsx';
import { followTheme } from './shell/account/theme.ts';
import { keepShell } from './shell/keepShell.ts';
import { keepTelling } from './shell/keepTelling.ts';
import './shell/shared.ts';

if (!leadHome()) {
  followNode();
  followNames();
  followTheme();
  keepTelling();
  render(<App />, document.getElementById('app') as HTMLElement);
  // The first screen has the network to itself.
  addEventListener('load', keepShell);
}
