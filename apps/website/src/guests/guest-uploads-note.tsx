import type { JSX } from 'preact';
import { PostForm } from '../components/post-form';
import { useVisit } from '../components/visit-context';

/** Shown if this browser has uploads of a guest: members can move them to their account. */
export function GuestUploadsNote(): JSX.Element | null {
  const { visit, viewer } = useVisit();
  if (visit.guestToken === undefined) return null;
  const uploads = <a href="/guest">Uploads that you made here without an account</a>;
  if (!viewer) return <p class="small quiet">{uploads} can move to your account after you have logged in.</p>;
  return (
    <PostForm action="/guest/adopt" class="row small quiet">
      <p>{uploads} are not in your account.</p>
      <button class="button">Move them to my account</button>
    </PostForm>
  );
}
