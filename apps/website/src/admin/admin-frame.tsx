import type { ComponentChildren, JSX } from 'preact';
import { Page } from '../results/page';

const PLACES = [
  ['/admin', 'People'],
  ['/admin/storage', 'Storage'],
  ['/admin/work', 'Work'],
  ['/admin/audit-log', 'Audit log'],
  ['/admin/settings', 'Settings'],
] as const;

/** Pages of other parts of the site that admins look for here. */
const ELSEWHERE = [
  ['/moderation', 'Moderation'],
  ['/moderation/applications', 'Applications'],
  ['/settings/invites', 'Invites'],
] as const;

interface Room {
  readonly title: string;
  readonly path: (typeof PLACES)[number][0];
  readonly body: JSX.Element;
  readonly status?: number;
}

/** A page for admins. It is not cached and not indexed. */
export const adminPage = ({ title, path, body, status = 200 }: Room): Page =>
  new Page({
    title,
    width: 'wide',
    secret: true,
    status,
    head: { robots: 'noindex' },
    styles: ['admin.css'],
    body: <Frame path={path}>{body}</Frame>,
  });

function Frame(props: { readonly path: string; readonly children: ComponentChildren }): JSX.Element {
  return (
    <div class="admin moderation">
      <nav class="moderation-nav" aria-label="Administration">
        {PLACES.map(([path, name]) => (
          <a href={path} aria-current={path === props.path ? 'page' : undefined}>
            {name}
          </a>
        ))}
        {ELSEWHERE.map(([path, name]) => (
          <a href={path}>{name}</a>
        ))}
      </nav>
      {props.children}
    </div>
  );
}
