import type { ComponentChildren, JSX } from 'preact';
import { Page } from '../results/page';
import type { ApiReference } from './open-api';

interface DocsPage {
  readonly title: string;
  readonly description: string;
  readonly path: string;
  readonly reference: ApiReference;
  readonly children: ComponentChildren;
}

/** A page of the documentation. */
export const docsPage = ({ title, description, path, reference, children }: DocsPage): Page =>
  new Page({
    title,
    width: 'full',
    head: { description, canonical: path },
    styles: ['developers.css'],
    scripts: ['developers.js'],
    body: (
      <div class="docs">
        <DocsNav reference={reference} path={path} />
        <div class="docs-body">{children}</div>
      </div>
    ),
  });

/** The name of a group as a heading. */
export const headingOf = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1);

function DocsNav({ reference, path }: Pick<DocsPage, 'reference' | 'path'>): JSX.Element {
  const link = (to: string, name: string): JSX.Element => (
    <a href={to} aria-current={to === path ? 'page' : undefined}>
      {name}
    </a>
  );
  return (
    <nav class="docs-nav" aria-label="Documentation">
      <ul class="plain-list">
        <li>{link('/developers', 'Start')}</li>
        {reference.groups.map(({ name, operations }) => {
          const to = `/developers/${name}`;
          return (
            <li>
              {link(to, headingOf(name))}
              {to === path && (
                <ul class="plain-list">
                  {operations.map(({ id, summary }) => (
                    <li>
                      <a href={`#${id}`}>{summary}</a>
                    </li>
                  ))}
                </ul>
              )}
            </li>
          );
        })}
        <li>{link('/developers/objects', 'Objects')}</li>
      </ul>
    </nav>
  );
}
