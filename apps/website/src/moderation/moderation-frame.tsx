import type { ComponentChildren, JSX } from 'preact';
import { Page } from '../results/page';

const PLACES = [
  ['/moderation', 'Queue'],
  ['/moderation/decisions', 'Decisions'],
  ['/moderation/hashes', 'Bans'],
  ['/moderation/applications', 'Applications'],
] as const;

interface Room {
  readonly title: string;
  readonly path: (typeof PLACES)[number][0];
  readonly body: JSX.Element;
  readonly scripts?: readonly string[];
  readonly status?: number;
}

/** A page for moderators. It is not cached and not indexed. */
export const moderationPage = ({ title, path, body, scripts = [], status = 200 }: Room): Page =>
  new Page({
    title,
    width: 'wide',
    secret: true,
    status,
    head: { robots: 'noindex' },
    styles: ['moderation.css'],
    scripts,
    body: <Frame path={path}>{body}</Frame>,
  });

function Frame(props: { readonly path: string; readonly children: ComponentChildren }): JSX.Element {
  return (
    <div class="moderation">
      <nav class="moderation-nav" aria-label="Moderation">
        {PLACES.map(([path, name]) => (
          <a href={path} aria-current={path === props.path ? 'page' : undefined}>
            {name}
          </a>
        ))}
      </nav>
      {props.children}
    </div>
  );
}
