import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { OperatorPage } from '../config/operator-pages';
import type { Viewer } from '../visits/viewers';
import type { Visit } from '../visits/visit';

/** The data about the visit that every component can use. */
export interface PageContext {
  readonly visit: Visit;
  readonly viewer: Viewer | null;
  readonly siteName: string;
  /** One sentence about the site. */
  readonly tagline: string;
  /** The operator's pages. */
  readonly operatorPages: readonly Pick<OperatorPage, 'name' | 'title'>[];
  /** Base addresses without a trailing slash. */
  readonly urls: {
    readonly site: string;
    readonly api: string;
    readonly upload: string;
    readonly cdn: string;
  };
}

export const VisitContext = createContext<PageContext | null>(null);

/** The visit for which the page is rendered. Throws if the component is rendered without one. */
export function useVisit(): PageContext {
  const context = useContext(VisitContext);
  if (!context) throw new Error('Pages are rendered for a visit.');
  return context;
}
