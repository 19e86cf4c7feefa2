import type { User } from '@vitrine/client';
import { PostForm } from '../components/post-form';
import { Page } from '../results/page';

/** Asks whether the viewer wants to block a user, and says what that means. */
export const blockPage = ({ username }: User): Page =>
  new Page({
    title: `Block ${username}`,
    head: { robots: 'noindex' },
    body: (
      <>
        <h1>Block {username}?</h1>
        <ul>
          <li>
            {username} can no longer see you, your posts and your comments, and you no longer see theirs.
          </li>
          <li>Neither of you can comment on the other’s posts, vote on them, or follow the other.</li>
          <li>If one of you follows the other, the follow ends.</li>
          <li>{username} is not notified. People who are not logged in still see public posts.</li>
        </ul>
        <PostForm action={`/u/${encodeURIComponent(username)}/block`}>
          <p class="row">
            <button class="button danger">Block {username}</button>
            <a class="button" href={`/u/${username}`}>
              Cancel
            </a>
          </p>
        </PostForm>
      </>
    ),
  });
