import type { AnswerOf } from '@vitrine/client';
import type { JSX } from 'preact';
import { Pager } from '../components/pager';
import { PostForm } from '../components/post-form';
import { RelativeTime } from '../components/relative-time';

interface ApplicationsPageProps {
  readonly applications: AnswerOf<'listApplications'>;
  readonly path: string;
}

/** Applications for accounts, oldest first. */
export function ApplicationsPage({ applications, path }: ApplicationsPageProps): JSX.Element {
  const { data, meta, links } = applications;
  return (
    <>
      <h1>
        Applications <span class="quiet">{meta.total}</span>
      </h1>
      {data.length === 0 ? (
        <p class="empty">No applications are waiting for a decision.</p>
      ) : (
        <ul class="application-list plain-list">
          {data.map(({ username, application, email, created_at: at }) => (
            <li class="card stack">
              <h2>{username}</h2>
              <p class="small quiet">
                {email !== null && `${email} · `}
                <RelativeTime at={at} />
              </p>
              <p class="decision-words">{application}</p>
              <PostForm action={`/moderation/applications/${encodeURIComponent(username)}`} class="row">
                <button class="button good" name="decision" value="accept">
                  Accept<span class="visually-hidden"> {username}</span>
                </button>
                <button class="button danger" name="decision" value="decline">
                  Decline<span class="visually-hidden"> {username}</span>
                </button>
              </PostForm>
            </li>
          ))}
        </ul>
      )}
      <Pager meta={meta} links={links} path={path} />
    </>
  );
}
