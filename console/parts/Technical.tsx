/** Ids that only programs and their developers ask for: closed until a person opens them. */
import { Fact } from './Fact.tsx';
import { LongId } from './values/LongId.tsx';

export function Technical({ ids }: { readonly ids: Readonly<Record<string, string>> }) {
  return (
    <details class="technical">
      <summary>Technical details</summary>
      <dl class="facts">
        {Object.entries(ids).map(([name, id]) => (
          <Fact key={name} name={name}>
            <LongId id={id} />
          </Fact>
        ))}
      </dl>
    </details>
  );
}
