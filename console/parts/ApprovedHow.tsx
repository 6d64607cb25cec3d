/** How a purchase was approved, as its evidence shows it: by a passkey's own signature, or by the node's word alone. */

interface ApprovedHowProps {
  readonly approved: string;
  /** Why a touch that the node states is not shown. */
  readonly notShown?: string | undefined;
}

export function ApprovedHow({ approved, notShown }: ApprovedHowProps) {
  return (
    <p class={notShown === undefined ? 'quiet' : 'trouble'}>
      Approval: {approved}
      {notShown !== undefined && `: ${notShown}`}.
    </p>
  );
}
