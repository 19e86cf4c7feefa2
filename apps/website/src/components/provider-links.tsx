import type { AnswerOf } from '@vitrine/client';
import type { JSX } from 'preact';
import { providerPath } from '../links/paths';

interface ProviderLinksProps {
  readonly providers: AnswerOf<'getSite'>['data']['providers'];
  /** Path to which the visitor is sent afterwards. */
  readonly next: string;
  readonly invite?: string;
  /** What a link does, before the provider's name. */
  readonly label: string;
}

/** Links that begin a login with an identity provider; nothing if the site has none. */
export function ProviderLinks({ providers, label, ...options }: ProviderLinksProps): JSX.Element | null {
  if (providers.length === 0) return null;
  return (
    <ul class="plain-list stack">
      {providers.map(({ name, title }) => (
        <li>
          <a class="button wide" href={providerPath(name, options)} rel="nofollow">
            {label} {title}
          </a>
        </li>
      ))}
    </ul>
  );
}
