/** Who is signed in, by which passkeys, how the console looks in this browser, and signing out. */
import { useState } from 'preact/hooks';
import type { Me } from '../../login/login.ts';
import { logOut } from '../../login/logOut.ts';
import { HOME, runsWith } from '../../node/here.ts';
import { Button } from '../../parts/Button.tsx';
import { Fact } from '../../parts/Fact.tsx';
import { Tabs } from '../../parts/form/Tabs.tsx';
import { Sheet } from '../../parts/Sheet.tsx';
import { roleText } from '../../screens/settings/roles.ts';
import { go } from '../route.ts';
import { chooseTheme, readTheme, THEMES, type Theme } from './theme.ts';

interface AccountSheetProps {
  readonly me: Me;
  onClose(): void;
}

export function AccountSheet({ me: { name, email, role }, onClose }: AccountSheetProps) {
  const [theme, setTheme] = useState(readTheme);
  const choose = (chosen: Theme) => {
    chooseTheme(chosen);
    setTheme(chosen);
  };
  const settings = () => {
    onClose();
    go('#/settings');
  };
  return (
    <Sheet title="Your account" onClose={onClose}>
      <dl class="facts">
        {name !== undefined && (
          <Fact name="Name">
            <bdi>{name}</bdi>
          </Fact>
        )}
        {email !== null && (
          <Fact name="E-mail">
            <bdi>{email}</bdi>
          </Fact>
        )}
        <Fact name="Role">{roleText(role)}</Fact>
        <Fact name="Node">
          <bdi>{HOME.host}</bdi>
        </Fact>
      </dl>
      <h3>Theme</h3>
      <Tabs label="Theme" names={THEMES} shown={theme} controls="main" onChoose={choose} />
      <div class="buttons">
        <Button onClick={settings}>{runsWith('notices') ? 'Passkeys and notifications' : 'Passkeys'}</Button>
        <Button onClick={logOut}>Sign out</Button>
        <Button onClick={onClose}>Close</Button>
      </div>
    </Sheet>
  );
}
