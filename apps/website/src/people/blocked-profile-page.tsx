import type { User } from '@vitrine/client';
import { Avatar } from '../components/avatar';
import { PostForm } from '../components/post-form';
import { Page } from '../results/page';
import { tabPath } from './profile-tabs';

/** The profile of somebody whom the viewer blocks: only the button that ends this. */
export const blockedProfilePage = (user: User): Page =>
  new Page({
    title: user.username,
    styles: ['profile.css'],
    head: { robots: 'noindex' },
    body: (
      <header class="profile-head">
        <Avatar user={user} size={96} />
        <div class="profile-who">
          <h1>{user.username}</h1>
          <p>You block {user.username}. You do not see each other’s posts and comments.</p>
        </div>
        <div class="row">
          <PostForm action={`/u/${encodeURIComponent(user.username)}/unblock`}>
            <input type="hidden" name="next" value={tabPath(user.username, 'posts')} />
            <button class="button">Unblock {user.username}</button>
          </PostForm>
        </div>
      </header>
    ),
  });
