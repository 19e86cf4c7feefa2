import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { Viewer } from '../visits/viewers';
import type { Visit } from '../visits/visit';

/** What every component may want to know of the visit that its page is for. */
export interface Surroundings {
  readonly visit: Visit;
  readonly viewer: Viewer | null;
  readonly siteName: string;
  /** Addresses, without a slash at their end. */
  readonly urls: {
    readonly site: string;
    readonly api: string;
    readonly upload: string;
    readonly cdn: string;
  };
}

export const VisitContext = createContext<Surroundings | null>(null);

/** The visit that the page is rendered for. Throws outside of one. */
export function useVisit(): Surroundings {
  const surroundings = useContext(VisitContext);
  if (!surroundings) throw new Error('Pages are rendered for a visit.');
  return surroundings;
}
