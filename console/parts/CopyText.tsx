/** A text to take along, such as a link or a piece of code. */
import { Button } from './Button.tsx';
import { Icon } from './Icon.tsx';
import { say } from './toasts.ts';

export function CopyText({ name, text }: { readonly name: string; readonly text: string }) {
  const copy = async () => {
    await navigator.clipboard.writeText(text);
    say('Copied.');
  };
  return (
    <div class="copy">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard */}
      <pre tabIndex={0}>{text}</pre>
      <Button kind="plain" label={`Copy the ${name}`} onClick={copy}>
        <Icon name="copy" size={20} />
      </Button>
    </div>
  );
}
