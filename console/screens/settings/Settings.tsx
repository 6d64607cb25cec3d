/** Who one is here, who else is, and which node this is. */

import { login, logOut } from '../../login/login.ts';
import { may } from '../../login/may.ts';
import { NODE_DID, NODE_VERSION } from '../../node/here.ts';
import { Button } from '../../parts/Button.tsx';
import { Card } from '../../parts/Card.tsx';
import { Fact } from '../../parts/Fact.tsx';
import { Did } from '../../parts/values/Did.tsx';
import { People } from './People.tsx';

export function Settings() {
  return (
    <>
      <h1>Settings</h1>
      <div class="stack narrow">
        <You />
        <Card title="This node">
          <dl class="facts">
            <Fact name="Issuer">
              <Did did={NODE_DID} />
            </Fact>
            <Fact name="Version">{NODE_VERSION}</Fact>
          </dl>
          <p class="quiet">
            What programs can ask of it is in <a href="../docs">its documents</a>.
          </p>
        </Card>
        {may('admin') && <People />}
      </div>
    </>
  );
}

function You() {
  const state = login.value;
  if (state.at !== 'in') return null;
  const { name, email, role } = state.me;
  return (
    <Card title="You">
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
        <Fact name="Role">{role}</Fact>
      </dl>
      <div class="buttons">
        <Button onClick={logOut}>Log out</Button>
      </div>
    </Card>
  );
}
