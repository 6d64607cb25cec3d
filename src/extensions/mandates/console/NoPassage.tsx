/** Why nothing passes by a mandate: its agent may not spend that money. */
interface NoPassageProps {
  readonly did: string;
  /** Undefined for who may not see whose money there is. */
  readonly name: string | undefined;
}

export function NoPassage({ did, name }: NoPassageProps) {
  return (
    <div class="note">
      Nothing passes by it:{' '}
      {name === undefined ? (
        'the person or company whose money it is'
      ) : (
        <a class="inline-link" href={`#/principals/${encodeURIComponent(did)}`}>
          <bdi>{name}</bdi>
        </a>
      )}{' '}
      has not allowed this agent to spend {name === undefined ? 'it' : 'its money'}.
    </div>
  );
}
