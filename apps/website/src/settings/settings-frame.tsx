import type { ComponentChildren, JSX } from 'preact';

const TABS = [
  ['/settings', 'Account'],
  ['/settings/tokens', 'API tokens'],
  ['/settings/webhooks', 'Webhooks'],
  ['/settings/notifications', 'Notifications'],
  ['/settings/blocks', 'Blocked'],
  ['/settings/mutes', 'Muted'],
] as const;

interface SettingsFrameProps {
  /** Path of the tab that is shown. */
  readonly tab: (typeof TABS)[number][0];
  readonly children: ComponentChildren;
}

/** The common frame of the settings pages. */
export function SettingsFrame({ tab, children }: SettingsFrameProps): JSX.Element {
  return (
    <div class="settings">
      <h1>Settings</h1>
      <nav class="tabs" aria-label="Settings">
        {TABS.map(([path, label]) => (
          <a href={path} {...(path === tab && { 'aria-current': 'page' as const })}>
            {label}
          </a>
        ))}
      </nav>
      {children}
    </div>
  );
}
