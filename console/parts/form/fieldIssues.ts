/** What the node found wrong with a form, for each field to show its own. */
import { createContext } from 'preact';
import { useContext, useEffect } from 'preact/hooks';

/** A member of the request, such as `agents.0`, and what is wrong with it. */
export interface Issue {
  readonly path: string;
  readonly message: string;
}

export const FieldIssues = createContext<{
  readonly issues: readonly Issue[];
  /** The fields that are shown, by the names of their members. */
  readonly names: Set<string>;
}>({ issues: [], names: new Set() });

/** @param name of a member; what is wrong within it is wrong with it */
export function issueOf(name: string, issues: readonly Issue[]): string | undefined {
  return issues.find(({ path }) => path === name || path.startsWith(`${name}.`))?.message;
}

/** What is wrong with the field of that name. @param name undefined for a field that is no member of the request */
export function useIssue(name: string | undefined): string | undefined {
  const { issues, names } = useContext(FieldIssues);
  useEffect(() => {
    if (name === undefined) return undefined;
    names.add(name);
    return () => void names.delete(name);
  }, [name, names]);
  return name === undefined ? undefined : issueOf(name, issues);
}
