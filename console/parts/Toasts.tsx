/** Shows the notices that are open, where no button is covered. */
import { Button } from './Button.tsx';
import { Icon } from './Icon.tsx';
import { dismiss, toasts } from './toasts.ts';

export function Toasts() {
  return (
    <div class="toasts" role="status" aria-live="polite">
      {toasts.value.map(({ id, text, isTrouble, requestId, action }) => (
        <div key={id} class={isTrouble ? 'toast trouble' : 'toast'}>
          <p>
            {text}
            {requestId !== undefined && <span class="request">Request {requestId}</span>}
          </p>
          {action !== undefined && (
            <Button
              kind="plain"
              onClick={() => {
                dismiss(id);
                return action.run();
              }}
            >
              {action.name}
            </Button>
          )}
          <Button kind="plain" label="Close this notice" onClick={() => dismiss(id)}>
            <Icon name="close" size={18} />
          </Button>
        </div>
      ))}
    </div>
  );
}
