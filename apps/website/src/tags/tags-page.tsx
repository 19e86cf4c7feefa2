import type { AnswerOf, Tag } from '@vitrine/client';
import { MAX_TAG_LENGTH } from '@vitrine/contracts';
import type { JSX } from 'preact';
import { pluralize } from '../components/words';
import { Icon } from '../components/icon';
import { Pager } from '../components/pager';
import { feedPath } from '../feed/feed-query';
import { tagPath } from '../links/paths';

interface TagsPageProps {
  readonly tags: AnswerOf<'listTags'>;
  /** Prefix of the names; empty: all tags. */
  readonly beginning: string;
  readonly page: number;
}

/** The tags in use with their counts. */
export function TagsPage({ tags, beginning, page }: TagsPageProps): JSX.Element {
  const more: Readonly<Record<string, string>> = beginning === '' ? {} : { q: beginning };
  return (
    <>
      <div class="feed-head">
        <h1>Tags</h1>
        <form class="tag-search" role="search" aria-label="Tags" action="/tags">
          <label class="visually-hidden" for="tag-search">
            Beginning of a tag
          </label>
          <input
            id="tag-search"
            type="search"
            name="q"
            value={beginning}
            maxLength={MAX_TAG_LENGTH}
            placeholder="Find a tag"
            autocapitalize="none"
          />
          <button class="button">
            <Icon name="search" size={16} />
            Find
          </button>
        </form>
      </div>
      {tags.data.length > 0 ? (
        <ul class="tag-list">
          {tags.data.map((tag) => (
            <li key={tag.name}>
              <a href={tagPath(tag.name)}>
                <span class="tag-name">{tag.name}</span>
                <span class="tag-counts">{countsOf(tag)}</span>
              </a>
            </li>
          ))}
        </ul>
      ) : (
        <NoTags beginning={beginning} total={tags.meta.total} />
      )}
      <Pager meta={tags.meta} links={tags.links} path={feedPath('/tags', { page }, more)} />
    </>
  );
}

function NoTags({ beginning, total }: { readonly beginning: string; readonly total: number }): JSX.Element {
  if (total > 0) {
    return (
      <p class="empty">
        There are no more pages. <a href="/tags">Go to the first page</a>
      </p>
    );
  }
  if (beginning === '') return <p class="empty">There are no tags yet.</p>;
  return (
    <p class="empty">
      No tag begins with “{beginning}”. <a href="/tags">See all tags</a>
    </p>
  );
}

/** At least one count is above 0; other tags aren't in use. */
const countsOf = ({ post_count: posts, media_count: media }: Tag): string =>
  [posts > 0 && pluralize(posts, 'post'), media > 0 && pluralize(media, 'file')].filter(Boolean).join(' · ');
