/** Starts the console. */
import { render } from 'preact';
import { followNames } from './node/agentNames.ts';
import { leadHome } from './node/here.ts';
import { followNode } from './node/live.ts';
import { App } from './shell/App.tsx';

if (!leadHome()) {
  followNode();
  followNames();
  render(<App />, document.getElementById('app') as HTMLElement);
}
