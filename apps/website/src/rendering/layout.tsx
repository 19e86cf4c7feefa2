import type { ComponentChildren, JSX } from 'preact';
import { useVisit } from '../components/visit-context';
import { logInPath, registerPath } from '../links/paths';
import { MAX_SEARCH_LENGTH } from '../links/search-length';
import type { Viewer } from '../visits/viewers';
import { Avatar } from '../components/avatar';
import { Icon } from '../components/icon';
import { PostForm } from '../components/post-form';

interface LayoutProps {
  readonly width: 'text' | 'wide' | 'full';
  readonly search?: string | undefined;
  readonly children: ComponentChildren;
}

/** The frame of every page: header, navigation, notices and footer. */
export function Layout({ width, search, children }: LayoutProps): JSX.Element {
  const { visit, viewer, siteName, operatorPages } = useVisit();
  const { notice } = visit;
  return (
    <body>
      <a class="skip-link" href="#main">
        Skip to content
      </a>
      <header class={search === undefined ? 'site-header' : 'site-header searching'}>
        <a class="brand" href="/">
          <img src="/favicon.svg" alt="" width="28" height="28" />
          <span>{siteName}</span>
        </a>
        <form class="site-search" role="search" action="/search">
          <label class="visually-hidden" for="site-search">
            Search
          </label>
          <input
            id="site-search"
            type="search"
            name="q"
            placeholder="Search"
            value={search ?? ''}
            maxLength={MAX_SEARCH_LENGTH}
          />
          <button class="icon-button" aria-label="Search">
            <Icon name="search" />
          </button>
        </form>
        <nav class="site-nav" aria-label="Site">
          <a class="icon-button search-link" href="/search" aria-label="Search">
            <Icon name="search" />
          </a>
          <a class="button primary" href="/upload">
            <Icon name="upload" />
            <span>Upload</span>
          </a>
          {viewer && <NotificationsLink unread={viewer.unread} />}
          {viewer ? <AccountMenu viewer={viewer} /> : <GuestMenu />}
        </nav>
      </header>
      <div id="notices" class="notices" role="status" aria-live="polite">
        {notice && (
          <div class="notice">
            {notice.text}
            {notice.link !== '' && (
              <button type="button" class="button" data-copy-text={notice.link} hidden>
                Copy link
              </button>
            )}
          </div>
        )}
      </div>
      {viewer && viewer.state !== 'active' && <RestrictionNote viewer={viewer} />}
      <main id="main" class={`main-${width}`} tabIndex={-1}>
        {children}
      </main>
      <footer class="site-footer">
        <nav aria-label="More">
          <a href="/tags">Tags</a>
          <a href="/developers">Developers</a>
          <a href="/preferences">Preferences</a>
          {!viewer && <a href="/register">Sign up</a>}
          {operatorPages.map(({ name, title }) => (
            <a href={`/${name}`}>{title}</a>
          ))}
        </nav>
      </footer>
    </body>
  );
}

/** The link to the notifications, with the number of unread ones. */
function NotificationsLink({ unread }: { readonly unread: number }): JSX.Element {
  const shown = unread > 99 ? '99+' : String(unread);
  return (
    <a class="icon-button notifications-link" href="/notifications">
      <Icon name="bell" />
      <span class="visually-hidden">Notifications</span>
      {unread > 0 && (
        <span class="unread-count">
          {shown}
          <span class="visually-hidden"> unread</span>
        </span>
      )}
    </a>
  );
}

/** Tells the visitor that the account is limited. A suspended account has no session. */
function RestrictionNote({ viewer }: { readonly viewer: Viewer }): JSX.Element {
  const { state_reason: reason, state_until: until } = viewer;
  return (
    <aside class="callout restriction-note" aria-label="Your account">
      <p>
        <strong>Your account is limited{until === null ? '' : ` until ${until.slice(0, 10)}`}.</strong> Your
        posts and media are in no list, and you can’t comment on other people’s posts.
      </p>
      {reason !== null && <p>Reason: {reason}</p>}
    </aside>
  );
}

function AccountMenu({ viewer }: { readonly viewer: Viewer }): JSX.Element {
  return (
    <details class="menu" data-menu>
      <summary aria-label={`Account menu of ${viewer.username}`}>
        <Avatar user={viewer} />
      </summary>
      <div class="menu-items">
        <a href={`/u/${viewer.username}`}>
          <strong>{viewer.username}</strong>
        </a>
        <a href="/saved">Saved</a>
        <a href="/files">Your files</a>
        <a href="/tags">Tags</a>
        <a href="/preferences">Preferences</a>
        <a href="/settings">Settings</a>
        <a href="/settings/tokens">API tokens</a>
        {viewer.role !== 'user' && <a href="/moderation">Moderation</a>}
        {viewer.role === 'admin' && <a href="/admin">Administration</a>}
        <PostForm action="/logout">
          <button>Log out</button>
        </PostForm>
      </div>
    </details>
  );
}

/** What visitors without an account can do. */
function GuestMenu(): JSX.Element {
  const { visit } = useVisit();
  return (
    <>
      <a class="log-in-link" href={logInPath(visit.path)}>
        Log in
      </a>
      <details class="menu" data-menu>
        <summary aria-label="Menu">
          <Icon name="menu" />
        </summary>
        <div class="menu-items">
          <a href={logInPath(visit.path)}>Log in</a>
          <a href={registerPath(visit.path)}>Sign up</a>
          {visit.guestToken !== undefined && <a href="/guest">Your uploads</a>}
          <a href="/tags">Tags</a>
          <a href="/preferences">Preferences</a>
        </div>
      </details>
    </>
  );
}
