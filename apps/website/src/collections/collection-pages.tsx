import type { AnswerOf } from '@vitrine/client';
import type { JSX } from 'preact';
import { CopyField } from '../components/copy-field';
import { Icon } from '../components/icon';
import { Options } from '../components/options';
import { Pager } from '../components/pager';
import { PostForm } from '../components/post-form';
import { PostGrid } from '../components/post-grid';
import { pluralize } from '../components/words';
import { feedMark } from '../links/feed-mark';
import { collectionPath } from '../links/paths';
import type { Collection } from './save-buttons';

type Posts = AnswerOf<'listCollectionPosts'>;

/** The two visibilities of a collection, in the words of the site. */
const VISIBILITY_NAMES = {
  private: 'Private: only you see it',
  hidden: 'Unlisted: anyone with the link sees it',
} as const;

interface CollectionPageProps {
  readonly collection: Collection;
  readonly posts: Posts;
  readonly page: number;
  /** The collections of the owner, if the viewer is the owner. */
  readonly own: readonly Collection[] | null;
}

/** A collection; its owner can also change it, and go to the others. */
export function CollectionPage({ collection, posts, page, own }: CollectionPageProps): JSX.Element {
  const { slug, name, user, visibility, page_url: link } = collection;
  const count = collection.post_count ?? 0;
  const mark = feedMark({ collection: own && name === null ? 'saved' : slug });
  return (
    <>
      <div class="feed-head">
        <h1 dir="auto">{name ?? 'Saved'}</h1>
        <p class="feed-count">
          {pluralize(count, 'post')}
          {!own && (
            <>
              {' '}
              by <a href={`/u/${user.username}`}>{user.username}</a>
            </>
          )}
        </p>
      </div>
      {own && <OwnCollections collections={own} current={collection} />}
      {own && visibility === 'hidden' && <CopyField label="Link" value={link} id="collection-link" />}
      {posts.data.length > 0 ? (
        <PostGrid posts={posts.data} label={name ?? 'Saved posts'} mark={mark} />
      ) : (
        <p class="empty">
          {count > 0
            ? 'None of its posts can be seen on this page.'
            : 'Nothing has been saved here yet. Every post has a button “Save”.'}
        </p>
      )}
      <Pager
        meta={posts.meta}
        links={posts.links}
        path={`${collectionPath(collection)}${page === 1 ? '' : `?page=${page}`}`}
      />
    </>
  );
}

interface OwnCollectionsProps {
  readonly collections: readonly Collection[];
  readonly current: Collection;
}

function OwnCollections({ collections, current }: OwnCollectionsProps): JSX.Element {
  return (
    <div class="collection-bar">
      <nav class="segments" aria-label="Your collections">
        {collections.map((one) => (
          <a href={collectionPath(one)} aria-current={one.slug === current.slug ? 'page' : undefined}>
            {one.visibility === 'private' && one.name !== null && <Icon name="lock" size={14} />}
            <span dir="auto">{one.name ?? 'Saved'}</span>
          </a>
        ))}
      </nav>
      <details class="fold" data-menu>
        <summary class="button">New collection</summary>
        <PostForm action="/saved" class="fold-body stack">
          <CollectionFields />
          <button class="button primary">Create</button>
        </PostForm>
      </details>
      <details class="fold" data-menu>
        <summary class="button">
          <Icon name="edit" />
          <span>{current.name === null ? 'Sharing' : 'Edit'}</span>
        </summary>
        <div class="fold-body stack">
          <PostForm action={`/c/${current.slug}`} class="stack">
            <CollectionFields collection={current} />
            <button class="button primary">Save</button>
          </PostForm>
          <PostForm
            action={`/c/${current.slug}/delete`}
            data-confirm="Delete this collection? Its posts stay where they are."
          >
            <button class="button danger">
              {current.name === null ? 'Forget all saved posts' : 'Delete collection'}
            </button>
          </PostForm>
        </div>
      </details>
    </div>
  );
}

function CollectionFields({ collection }: { readonly collection?: Collection }): JSX.Element {
  return (
    <>
      {collection?.name !== null && (
        <label class="field">
          <span>Name</span>
          <input name="name" maxLength={100} value={collection?.name} required />
        </label>
      )}
      <label class="field">
        <span>Who sees it</span>
        <select name="visibility">
          <Options of={Object.entries(VISIBILITY_NAMES)} chosen={collection?.visibility ?? 'private'} />
        </select>
      </label>
    </>
  );
}
