import type { AnswerOf } from '@vitrine/client';
import type { JSX } from 'preact';
import { Icon } from '../components/icon';
import { PostForm } from '../components/post-form';
import { useVisit } from '../components/visit-context';
import { logInPath } from '../links/paths';

export type Collection = AnswerOf<'listCollections'>['data'][number];

interface SaveButtonsProps {
  readonly slug: string;
  /** The viewer's collections with `contains`; null if nobody is logged in. */
  readonly collections: readonly Collection[] | null;
}

/**
 * The button that saves a post (browser/dom/follows.ts replaces it without a page load), and the collections of the
 * viewer in which the post can be put. A link to the login if nobody is logged in.
 */
export function SaveButtons({ slug, collections }: SaveButtonsProps): JSX.Element {
  const { visit } = useVisit();
  if (!collections) {
    return (
      <a class="button" href={logInPath(visit.path)} rel="nofollow">
        <Icon name="bookmark" />
        <span>Save</span>
      </a>
    );
  }
  const isSaved = collections.some(({ name, contains }) => name === null && contains);
  const named = collections.filter(({ name }) => name !== null);
  return (
    <div class="save-buttons" data-swap>
      <PostForm action={`/p/${slug}/save`} data-enhance="follow">
        <input type="hidden" name="next" value={visit.path} />
        <input type="hidden" name="saved" value={isSaved ? '' : '1'} />
        <button class="button" aria-pressed={isSaved ? 'true' : 'false'}>
          <Icon name="bookmark" />
          <span>{isSaved ? 'Saved' : 'Save'}</span>
        </button>
      </PostForm>
      <details class="fold" data-menu>
        <summary class="button" aria-label="Collections">
          <Icon name="more" />
        </summary>
        <PostForm action={`/p/${slug}/collections`} class="fold-body stack">
          <input type="hidden" name="next" value={visit.path} />
          {named.length > 0 && (
            <fieldset class="choices">
              <legend>Collections</legend>
              {named.map(({ slug: collection, name, contains }) => (
                <label class="choice">
                  <input type="checkbox" name="in" value={collection} checked={contains} />
                  <input type="hidden" name="shown" value={collection} />
                  <span dir="auto">{name}</span>
                </label>
              ))}
            </fieldset>
          )}
          <label class="field">
            <span>New collection</span>
            <input name="new" maxLength={100} placeholder="Name" autocomplete="off" />
          </label>
          <button class="button primary">Put into collections</button>
          <a href="/saved">All saved posts</a>
        </PostForm>
      </details>
    </div>
  );
}
