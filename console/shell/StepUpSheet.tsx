/** Asks for a touch of the passkey before something that raises risk. */
import { useEffect, useRef, useState } from 'preact/hooks';
import { type StepUp, stepUp } from '../login/stepUp.ts';
import { explain } from '../node/explainError.ts';
import { Button } from '../parts/Button.tsx';
import { Sheet } from '../parts/Sheet.tsx';

export function StepUpSheet() {
  const open = stepUp.value;
  return open === undefined ? null : <Question asked={open} />;
}

function Question({ asked }: { readonly asked: StepUp }) {
  const [trouble, setTrouble] = useState<string>();
  const begun = useRef(false);
  const touch = async () => {
    setTrouble(undefined);
    await asked.touch().catch((error: unknown) => setTrouble(explain(error).message));
  };
  useEffect(() => {
    // After a button was pressed the browser asks for the passkey at once.
    if (!begun.current) void touch();
    begun.current = true;
  }, []);
  return (
    <Sheet title="Confirm that it is you" onClose={asked.cancel}>
      <p>This change raises what may be spent, or who may decide. It needs a touch of your passkey.</p>
      {trouble !== undefined && (
        <p class="trouble" role="alert">
          {trouble}
        </p>
      )}
      <div class="buttons">
        <Button kind="first" onClick={touch}>
          Use passkey
        </Button>
        <Button onClick={asked.cancel}>Cancel</Button>
      </div>
    </Sheet>
  );
}
