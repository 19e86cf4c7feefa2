import type { ComponentChildren, JSX } from 'preact';
import { useVisit } from '../components/visit-context';

const TABS = [
  ['/settings', 'Account'],
  ['/settings/security', 'Security'],
  ['/settings/tokens', 'API tokens'],
  ['/settings/webhooks', 'Webhooks'],
  ['/settings/notifications', 'Notifications'],
  ['/settings/blocks', 'Blocked'],
  ['/settings/mutes', 'Muted'],
  ['/settings/invites', 'Invites'],
] as const;

/** Staff can always create invites; members find the page by the link in their settings. */
const INVITES = '/settings/invites';

interface SettingsFrameProps {
  /** Path of the tab that is shown. */
  readonly tab: (typeof TABS)[number][0];
  readonly children: ComponentChildren;
}

/** The common frame of the settings pages. */
export function SettingsFrame({ tab, children }: SettingsFrameProps): JSX.Element {
  const { viewer } = useVisit();
  const invites = tab === INVITES || (viewer !== null && viewer.role !== 'user');
  return (
    <div class="settings">
      <h1>Settings</h1>
      <nav class="tabs" aria-label="Settings">
        {TABS.filter(([path]) => path !== INVITES || invites).map(([path, label]) => (
          <a href={path} {...(path === tab && { 'aria-current': 'page' as const })}>
            {label}
          </a>
        ))}
      </nav>
      {children}
    </div>
  );
}
