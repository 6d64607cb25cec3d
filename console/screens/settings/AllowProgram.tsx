/** Lets the command line of this computer log in as the user: a touch here, and the browser brings it a code that serves once. */
import { useState } from 'preact/hooks';
import { node } from '../../node/node.ts';
import { Button } from '../../parts/Button.tsx';
import { Card } from '../../parts/Card.tsx';
import { Head } from '../../parts/Head.tsx';
import { Trouble } from '../../parts/Trouble.tsx';
import { go } from '../../shell/route.ts';
import type { ScreenProps } from '../../shell/screens.ts';

/** What the command line asks for, in the address that it opens. */
interface LoginRequest {
  /** Where it waits on this computer. */
  readonly port: number;
  readonly challenge: string;
  /** By which it knows its own request again. */
  readonly state: string;
  /** What the computer is called. */
  readonly host: string;
}

export function AllowProgram({ query }: ScreenProps) {
  const request = requestIn(query);
  return (
    <>
      <Head title="Log in the command line" />
      <div class="stack">{request === undefined ? <Broken /> : <Question request={request} />}</div>
    </>
  );
}

function Broken() {
  return (
    <Card title="This link is not complete">
      <p>
        Run <code>countersign login</code> again, and open the whole address that it prints.
      </p>
    </Card>
  );
}

function Question({ request }: { readonly request: LoginRequest }) {
  const [trouble, setTrouble] = useState<unknown>();
  const allow = async () => {
    setTrouble(undefined);
    try {
      const { code } = await node.allowProgram({ challenge: request.challenge });
      location.assign(`http://127.0.0.1:${request.port}/?${new URLSearchParams({ code, state: request.state })}`);
    } catch (error) {
      setTrouble(error);
    }
  };
  return (
    <Card title={`The command line${request.host === '' ? '' : ` of ${request.host}`} asks to log in as you`} isMain>
      <p>
        For up to 7 days it may do here what you may, except for what takes a touch of your passkey. You can end it
        under Settings, or with <code>countersign logout</code>.
      </p>
      <p>
        <strong>
          Allow it only if you have just run <code>countersign login</code> on this computer yourself.
        </strong>
      </p>
      {trouble !== undefined && <Trouble error={trouble} />}
      <div class="buttons">
        <Button kind="first" onClick={allow}>
          Allow
        </Button>
        <Button onClick={() => go('#/')}>Do not allow</Button>
      </div>
    </Card>
  );
}

const MOST_LETTERS = 60;

/** An address may come from an attacker: a code goes to this computer alone, and serves the program that made the challenge. */
function requestIn(query: URLSearchParams): LoginRequest | undefined {
  const port = Number(query.get('port'));
  const challenge = query.get('challenge') ?? '';
  const state = query.get('state') ?? '';
  const isWhole = Number.isInteger(port) && port >= 1024 && port <= 65_535;
  if (!isWhole || !/^[\w-]{43}$/.test(challenge) || !/^[\w-]{20,100}$/.test(state)) return undefined;
  return { port, challenge, state, host: (query.get('host') ?? '').replace(/[^\w.-]/g, '').slice(0, MOST_LETTERS) };
}
