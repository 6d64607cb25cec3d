/** The console as a whole: the user signs in, or looks at a screen; notices and questions lie over both. */
import { useEffect } from 'preact/hooks';
import { login, resume } from '../login/login.ts';
import { noteLost, returns } from '../node/reach.ts';
import { Toasts } from '../parts/Toasts.tsx';
import { Brand } from './Brand.tsx';
import { Frame } from './Frame.tsx';
import { Lazy } from './Lazy.tsx';
import { LostNotice } from './LostNotice.tsx';
import { place } from './route.ts';
import { StepUpSheet } from './StepUpSheet.tsx';

const signIn = () => import('../screens/signIn/SignIn.tsx').then(({ SignIn }) => SignIn);
const welcome = () => import('../screens/signIn/Welcome.tsx').then(({ Welcome }) => Welcome);

export function App() {
  const seen = returns.value;
  const isStarting = login.value.at === 'starting';
  useEffect(() => {
    if (isStarting) void resume().catch(noteLost);
  }, [seen, isStarting]);
  return (
    <>
      <LostNotice />
      <Content />
      <StepUpSheet />
      <Toasts />
    </>
  );
}

function Content() {
  const state = login.value;
  const token = /^\/welcome\/([\w-]+)$/.exec(place.value.path)?.[1];
  if (token !== undefined) return <Lazy key="welcome" load={welcome} props={{ token }} />;
  if (state.at === 'in') return <Frame me={state.me} />;
  if (state.at === 'out') return <Lazy key="out" load={signIn} props={{}} />;
  return (
    <main class="alone" aria-busy="true">
      <Brand />
    </main>
  );
}
