/** Makes a link by which a person enrolls one passkey, and shows it as a QR code, as text, and as a way to go on here. */
import { useState } from 'preact/hooks';
import type { Operations } from '../../../client/operations.ts';
import { node } from '../../node/node.ts';
import { Lazy } from '../../shell/Lazy.tsx';
import { Button } from '../Button.tsx';
import { CopyText } from '../CopyText.tsx';
import { Sheet } from '../Sheet.tsx';
import { When } from '../values/When.tsx';

/** Whose purchases the passkey will approve. */
export type PasskeyHolder = { readonly agentDid: string } | { readonly principalDid: string };

type Enrollment = Operations['createEnrollment']['output'];

interface EnrollButtonProps {
  readonly holder: PasskeyHolder;
  readonly isFirst?: boolean;
  readonly children?: string;
}

const loadQrCode = () => import('./QrCode.tsx').then(({ QrCode }) => QrCode);

export function EnrollButton({ holder, isFirst = false, children = 'Enroll a passkey…' }: EnrollButtonProps) {
  const [link, setLink] = useState<Enrollment>();
  const enroll = async () => setLink(await node.createEnrollment(holder));
  return (
    <>
      <Button kind={isFirst ? 'first' : 'second'} onClick={enroll}>
        {children}
      </Button>
      {link !== undefined && <EnrollSheet link={link} onClose={() => setLink(undefined)} />}
    </>
  );
}

/** Whether an address leads another device to itself. */
function isOfThisMachine(url: string): boolean {
  return /^(localhost|127\.|\[::1\])/.test(new URL(url).hostname);
}

function EnrollSheet({ link: { url, expiresAt }, onClose }: { readonly link: Enrollment; onClose(): void }) {
  return (
    <Sheet title="Enroll a passkey" onClose={onClose}>
      <p>
        The person who is to approve opens this link on their own device, and makes a passkey there. It works once,
        until <When time={expiresAt} />: treat it as a password.
      </p>
      {isOfThisMachine(url) ? (
        <p class="note">
          A phone cannot open this address, which is this machine’s own. Give the node a public one (BASE_URL, with
          https or a tunnel) for other devices.
        </p>
      ) : (
        <div class="qr-place">
          <Lazy load={loadQrCode} props={{ text: url }} bare />
        </div>
      )}
      <CopyText name="enrollment link" text={url} />
      <div class="buttons">
        <a class="button second" href={url} target="_blank" rel="noopener">
          Enroll on this device
        </a>
        <Button onClick={onClose}>Done</Button>
      </div>
    </Sheet>
  );
}
