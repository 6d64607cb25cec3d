/** What could not be loaded, why, and how to try again. */
import { explain } from '../node/explainError.ts';
import { Button } from './Button.tsx';

export function Trouble({ error, again }: { readonly error: unknown; readonly again?: () => void }) {
  const { message, requestId } = explain(error, again === undefined ? 'doing' : 'loading');
  return (
    <div class="trouble" role="alert">
      <p>{message}</p>
      {requestId !== undefined && <p class="request">Request {requestId}</p>}
      {again !== undefined && <Button onClick={again}>Try again</Button>}
    </div>
  );
}
