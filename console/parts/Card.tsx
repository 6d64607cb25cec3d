/** A card: one subject with its heading, and what can be done about it. */
import type { ComponentChildren } from 'preact';

interface CardProps {
  readonly title?: ComponentChildren;
  /** Where the card is what the whole screen is about. */
  readonly isMain?: boolean;
  /** Beside the heading. */
  readonly aside?: ComponentChildren;
  readonly children: ComponentChildren;
  readonly class?: string;
}

export function Card({ title, isMain = false, aside, children, class: more = '' }: CardProps) {
  const Heading = isMain ? 'h1' : 'h2';
  return (
    <section class={`card ${more}`}>
      {title !== undefined && (
        <header class="card-head">
          <Heading class="card-title">{title}</Heading>
          {aside}
        </header>
      )}
      {children}
    </section>
  );
}
