import type { JSX } from 'preact';
import { RelativeTime } from '../components/relative-time';
import { Avatar } from '../components/avatar';
import { pluralize } from '../components/words';
import { isVideo } from '../components/picture';
import { DecisionForm } from './decision-form';
import { Preview } from './preview';
import { pagePathOf, type QueueItem, statusOf, type Subject, subjectOf } from './queue-item';
import { isReported, reasonInWords } from './reason-labels';
import { ScoreList } from './score-list';
import { StatusBadge } from './status-badge';

const QUEUE = '/moderation';

/** A card for one item of the queue, with all facts for the decision. */
export function QueueCard({ item }: { readonly item: QueueItem }): JSX.Element | null {
  const subject = subjectOf(item);
  if (!subject) return null;
  const { media, post, scores, reports, reasons, latest_reports: latest } = item;
  const shown = media ?? post?.first_media ?? null;
  const status = statusOf(item);
  const id = `${subject.type}-${subject.target}`;
  return (
    <article class="queue-card card" id={id} tabIndex={-1} aria-labelledby={`${id}-name`}>
      {shown && <Preview media={shown} />}
      <div class="queue-facts">
        <h2 id={`${id}-name`}>
          <Name item={item} subject={subject} />
        </h2>
        <p class="row small quiet">
          {status && <StatusBadge status={status} />}
          <span>
            waiting since <RelativeTime at={item.waiting_since} />
          </span>
          {post && post.media_count > 1 && <span>{post.media_count} media</span>}
        </p>
        <ul class="reasons plain-list">
          {reasons.map((reason) => (
            <li class={isReported(reason) ? 'reported' : undefined}>{reasonInWords(reason)}</li>
          ))}
        </ul>
        <Text item={item} />
        {scores && <ScoreList scores={scores} />}
        {reports > 0 && (
          <details class="queue-reports" open>
            <summary>{pluralize(reports, 'report')}</summary>
            <ul class="plain-list">
              {latest.map(({ reason, details, reporter, contact, created_at: at }) => (
                <li>
                  <strong>{reasonInWords(reason)}</strong>{' '}
                  <span class="quiet">
                    by{' '}
                    {reporter === null ? (
                      `a visitor${contact === null ? '' : ` (${contact})`}`
                    ) : (
                      <a href={`/u/${encodeURIComponent(reporter)}`}>{reporter}</a>
                    )}
                    , <RelativeTime at={at} />
                  </span>
                  {details !== null && <p>{details}</p>}
                </li>
              ))}
            </ul>
          </details>
        )}
      </div>
      <DecisionForm subject={subject} revision={post?.revision} isReported={reports > 0} next={QUEUE} />
    </article>
  );
}

function Name({ item, subject }: { readonly item: QueueItem; readonly subject: Subject }): JSX.Element {
  const path = pagePathOf(subject, item.comment?.post.slug);
  const author = (item.media ?? item.post ?? item.comment)?.user?.username;
  return (
    <>
      <a href={path}>{titleOf(item, subject)}</a>
      {author !== undefined && (
        <span class="quiet">
          {' by '}
          <a href={`/u/${encodeURIComponent(author)}`}>{author}</a>
        </span>
      )}
      {item.user === undefined && author === undefined && <span class="quiet"> by a guest</span>}
    </>
  );
}

function titleOf({ media, post }: QueueItem, { type, target }: Subject): string {
  switch (type) {
    case 'media':
      return media?.title ?? `${media && isVideo(media) ? 'Video' : 'Picture'} ${target}`;
    case 'post':
      return post?.title ?? `Post ${target}`;
    case 'comment':
      return 'Comment';
    case 'user':
      return target;
  }
}

function Text({ item: { media, post, comment, user } }: { readonly item: QueueItem }): JSX.Element | null {
  if (comment) {
    return (
      <>
        <blockquote class="queue-text">{comment.content}</blockquote>
        <p class="small quiet">
          Under <a href={`/p/${comment.post.slug}`}>{comment.post.title ?? `post ${comment.post.slug}`}</a>
          {comment.edited_at !== null && (
            <>
              {', edited '}
              <RelativeTime at={comment.edited_at} />
            </>
          )}
        </p>
      </>
    );
  }
  if (user) {
    return (
      <div class="row">
        <details class="queue-avatar">
          <summary>Show the picture</summary>
          <Avatar user={user} size={96} />
        </details>
        <p class="row">
          <a class="button" href={`/moderation/user/${encodeURIComponent(user.username)}?state=limited`}>
            Limit…
          </a>
          <a
            class="button danger"
            href={`/moderation/user/${encodeURIComponent(user.username)}?state=suspended`}
          >
            Suspend…
          </a>
        </p>
      </div>
    );
  }
  const text = (media ?? post)?.description ?? null;
  return text === null ? null : <blockquote class="queue-text">{text}</blockquote>;
}
